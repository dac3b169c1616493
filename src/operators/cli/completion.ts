import type { Command } from './command.js';

const COMMON_OPTIONS = ['--json', '--yes', '--help'];

/** What bash has to be told: `source <(gatehouse completion bash)`. */
export function bashCompletion(commands: Map<string, Command>): string {
  const cases = [...commands].map(([name, { subcommands = [], options = [] }]) => {
    const all = [...options.map((option) => `--${option}`), ...COMMON_OPTIONS];
    return `    ${name}) words="${subcommands.join(' ')}"; options="${all.join(' ')}" ;;`;
  });
  return `_gatehouse() {
  local words="" options="--help" word="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" = 1 ]; then words="${[...commands.keys(), 'completion'].join(' ')}"; options="--help"
  elif [ "$COMP_CWORD" != 2 ]; then words=""; fi
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
  esac
}
complete -o default -F _gatehouse gatehouse`;
}
