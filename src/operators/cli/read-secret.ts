import { CommandFailed } from './command.js';

/**
 * A line from the terminal, without echo, or from standard input: never from the arguments, which other users can see.
 */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) {
    process.stderr.write(prompt);
    stdin.setRawMode(true);
  }
  let text = '';
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      for (const letter of chunk.toString()) {
        if (letter === '\u0003') throw new CommandFailed('nothing was done');
        if (letter === '\r' || letter === '\n') return text;
        text = letter === '\u007f' ? text.slice(0, -1) : text + letter;
      }
    }
    return text;
  } finally {
    if (stdin.isTTY) {
      stdin.setRawMode(false);
      process.stderr.write('\n');
    }
    stdin.pause();
  }
}
