/** Every error by its name, in the players' words. */
const ERRORS = {
  network: {
    zh: '无法连接服务，请检查网络。',
    en: 'The service cannot be reached. Please check your connection.',
  },
  foreign_landing: {
    zh: '这次登录不是在本标签页发起的，已被忽略。如果是别人发来的链接，请不要相信：它可能让对方得到你的账号。如果是你本人操作，请在这里重新开始。',
    en: 'This sign-in was not started in this tab, so nothing came of it. If somebody sent you here, do not trust the link: it could have given them your account. If it was you, start again here.',
  },
  invalid_request: {
    zh: '填写内容有误，请再检查一遍。',
    en: 'Something in this form is not right. Please look through it again.',
  },
  oauth_state_invalid: {
    zh: '从论坛返回超时或来源不符，请重新开始。',
    en: 'The way back from the forum took too long or came from elsewhere. Please start again.',
  },
  unauthorized: {
    zh: '登录已失效，请重新登录。',
    en: 'Your session has ended. Please sign in again.',
  },
  bad_credentials: { zh: '账号与密码不匹配。', en: 'Account and password do not match.' },
  session_ended: {
    zh: '此处的登录已结束，请重新登录。',
    en: 'You are not signed in here any more. Please sign in.',
  },
  token_invalid: { zh: '令牌无效。', en: 'This token is not valid.' },
  ticket_invalid: {
    zh: '论坛的确认已过期或已使用，请重新开始。',
    en: 'The forum’s confirmation has expired or was used already. Please start again.',
  },
  sign_in_again: {
    zh: '此操作需要再次确认是你本人。',
    en: 'For this we need to know once more that it is you.',
  },
  ip_denied: {
    zh: '你的网络已被限制访问，请联系客服。',
    en: 'Access from your network is blocked. Please contact support.',
  },
  account_disabled: {
    zh: '该账号已被停用，请联系客服。',
    en: 'This account has been disabled. Please contact support.',
  },
  caller_not_allowed: { zh: '此处不允许该操作。', en: 'This is not allowed from here.' },
  forum_denied: {
    zh: '你在论坛拒绝了授权，没有任何更改。',
    en: 'You declined at the forum. Nothing has been changed.',
  },
  not_found: { zh: '内容不存在。', en: 'This does not exist.' },
  server_not_found: { zh: '该区服已不存在。', en: 'This realm does not exist any more.' },
  role_not_found: {
    zh: '该角色不属于你，或已不在此区服。',
    en: 'This hero is not yours, or is no longer in this realm.',
  },
  link_not_found: { zh: '没有账号关联该身份。', en: 'No account is linked to this identity.' },
  withdrawal_not_found: { zh: '该提现记录不存在。', en: 'This withdrawal does not exist.' },
  account_not_found: { zh: '该账号不存在。', en: 'This account does not exist.' },
  session_not_found: { zh: '该设备已退出登录。', en: 'This device is signed out already.' },
  method_not_allowed: { zh: '此处不支持该操作。', en: 'This is not supported here.' },
  account_taken: { zh: '该账号名已被使用。', en: 'This account name is taken.' },
  email_taken: { zh: '该邮箱已被其他账号使用。', en: 'Another account uses this e-mail.' },
  server_unavailable: {
    zh: '该区服当前未开放，请稍后再试。',
    en: 'This realm is closed right now. Please try again later.',
  },
  withdrawal_open: {
    zh: '该角色还有一笔提现正在核实，完成后才能再次提现。',
    en: 'An earlier withdrawal of this hero is still being checked. A new one is possible once it is settled.',
  },
  connect_id_taken: {
    zh: '该论坛账号已关联到其他游戏账号。',
    en: 'This forum account is linked to another game account.',
  },
  account_linked: {
    zh: '该游戏账号已关联其他论坛账号。',
    en: 'This game account is linked to another forum account already.',
  },
  last_way_in: {
    zh: '你的账号还没有密码，论坛是唯一的登录方式。请先设置密码。',
    en: 'Your account has no password: the forum is the only way into it. Set a password first.',
  },
  idempotency_conflict: {
    zh: '该请求仍在处理中，请稍候。',
    en: 'This request is still being worked on. One moment.',
  },
  gone: { zh: '这个旧地址已停用。', en: 'This old address has been retired.' },
  body_too_large: { zh: '提交的内容过多。', en: 'That is too much at once.' },
  unsupported_media_type: {
    zh: '服务无法识别该请求。',
    en: 'The service did not understand this request.',
  },
  idempotency_key_reused: {
    zh: '请求与之前的不一致，请重新开始。',
    en: 'This request does not match the earlier one. Please start again.',
  },
  code_invalid: {
    zh: '验证码错误或已过期，请重新获取。',
    en: 'The code is wrong or has expired. Ask for a new one.',
  },
  insufficient_balance: { zh: '余额不足。', en: 'The balance does not cover this amount.' },
  amount_out_of_range: { zh: '数量超出限制。', en: 'This amount is outside the limits.' },
  withdrawal_refused: {
    zh: '游戏服务器拒绝了这次提现。',
    en: 'The game server refused the withdrawal.',
  },
  withdrawal_disabled: {
    zh: '提现功能暂时关闭。',
    en: 'Withdrawals are switched off at the moment.',
  },
  too_many_requests: {
    zh: '请求过于频繁，请稍候。',
    en: 'Too many requests. Please wait a moment.',
  },
  login_throttled: {
    zh: '错误次数过多，请稍候再试。',
    en: 'Too many wrong tries. Please wait a moment before the next one.',
  },
  registration_cap_reached: {
    zh: '今日注册名额已满，新的一天再来。',
    en: 'All places for today are taken. Registration opens again with the new day.',
  },
  code_throttled: {
    zh: '验证码刚刚发送过或获取过于频繁，请稍候。',
    en: 'A code was sent a moment ago, or too many were asked for. Please wait before the next one.',
  },
  internal_error: {
    zh: '服务出了点问题，请重试。',
    en: 'Something went wrong on our side. Please try again.',
  },
  forum_unavailable: {
    zh: '论坛暂时没有响应，请稍后再试。',
    en: 'The forum does not answer at the moment. Please try again later.',
  },
  game_server_unavailable: {
    zh: '无法连接游戏服务器，没有扣除任何数量。',
    en: 'The game server cannot be reached. Nothing was deducted.',
  },
  mail_unavailable: {
    zh: '邮件发送失败，请重试。',
    en: 'The e-mail could not be sent. Please try again.',
  },
  service_unavailable: {
    zh: '服务正在短暂休整，请稍后再试。',
    en: 'The service is taking a short break. Please try again in a moment.',
  },
} satisfies Record<string, Record<'zh' | 'en', string>>;

export function errorTexts(language: 'zh' | 'en') {
  const texts = Object.entries(ERRORS).map(([name, words]) => [name, words[language]]);
  return Object.fromEntries(texts) as Record<keyof typeof ERRORS, string>;
}
