import type { Command } from 'commander';

const namesOf = (commands: readonly Command[]) => commands.map((each) => each.name()).join(' ');

/** The script for bash: `source <(gatehouse completion bash)`. */
export function bashCompletion(program: Command): string {
  const cases = program.commands.map((group) => {
    const options = [group, ...group.commands].flatMap((each) =>
      each.options.map(({ long }) => long),
    );
    const all = [...new Set([...options, '--help'])].join(' ');
    return `    ${group.name()}) words="${namesOf(group.commands)}"; options="${all}" ;;`;
  });
  return `_gatehouse() {
  local words="" options="--help" word="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" = 1 ]; then words="${namesOf(program.commands)}"; options="--help"
  elif [ "$COMP_CWORD" != 2 ]; then words=""; fi
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
  esac
}
complete -o default -F _gatehouse gatehouse`;
}
