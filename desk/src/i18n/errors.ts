/** Every error by its name, in the operators' words. */
const ERRORS = {
  network: {
    zh: '无法连接值守台，请检查网络。',
    en: 'The desk cannot be reached. Is the connection there?',
  },
  bad_credentials: { zh: '用户名、密码或验证码错误。', en: 'Name, password or code is wrong.' },
  login_throttled: { zh: '错误次数过多。', en: 'Too many wrong tries.' },
  unauthorized: {
    zh: '登录已失效，请重新登录。',
    en: 'Your session has ended. Please sign in again.',
  },
  forbidden: { zh: '你的角色不允许此操作。', en: 'Your role does not allow this.' },
  not_found: { zh: '内容不存在。', en: 'There is no such thing.' },
  invalid_request: { zh: '填写内容有误。', en: 'Something is filled in wrongly.' },
  act_refused: { zh: '被拒绝：{sentence}。', en: 'Refused: {sentence}.' },
  too_many_requests: {
    zh: '请求过于频繁，请稍候。',
    en: 'Too many requests. Please wait a little.',
  },
  service_unavailable: {
    zh: '数据库无法连接，或值守台正在停止。',
    en: 'The database cannot be reached, or the desk is stopping.',
  },
  internal_error: { zh: '出了点问题。', en: 'Something went wrong.' },
  wait: { zh: '请等待 {time}。', en: 'Wait {time}.' },
  request: { zh: '日志编号 {id}。', en: 'The log has it under {id}.' },
} satisfies Record<string, Record<'zh' | 'en', string>>;

export function errorTexts(language: 'zh' | 'en') {
  const texts = Object.entries(ERRORS).map(([name, words]) => [name, words[language]]);
  return Object.fromEntries(texts) as Record<keyof typeof ERRORS, string>;
}
