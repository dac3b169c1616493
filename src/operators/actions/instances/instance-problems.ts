/** Problems of an instance, each in a sentence for terminals. */
export const INSTANCE_PROBLEMS = {
  redis_down: 'Redis is down',
  settings_refused: 'the settings file is refused',
  agreement_missing: 'the agreement cannot be read',
  mail_template_broken: 'a mail template is broken',
  not_ready: 'it stops, or its account database is down or takes no writes (gatehouse check)',
  bad_answer: 'answers',
  no_answer: 'does not answer',
  too_slow: 'it does not answer within a second',
} as const;
export type ProblemCode = keyof typeof INSTANCE_PROBLEMS;
