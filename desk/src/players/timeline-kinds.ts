/** As the desk orders events of one moment. */
export const KINDS = ['login', 'session', 'entry', 'withdrawal', 'link', 'mail', 'act'] as const;
