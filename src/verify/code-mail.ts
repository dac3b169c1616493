import type { Mail } from '../mail/mail.service.js';

/** The message that carries a code: in two languages, the code on a line of its own, and nothing to click. */
export function codeMail(to: string, code: string, validSeconds: number): Mail {
  return {
    to,
    subject: `${code} 验证码 / verification code`,
    text: [
      '您的验证码 / Your verification code:',
      '',
      code,
      '',
      `${validSeconds} 秒内有效，请勿告诉任何人。如果不是您本人操作，请忽略此邮件。`,
      '',
      `It is valid for ${validSeconds} seconds. Tell it to nobody. If you did not ask for it, ignore this mail.`,
      '',
    ].join('\n'),
    html: `<!doctype html>
<html>
<body style="font-family: sans-serif; color: #222; line-height: 1.5">
<p>您的验证码 / Your verification code:</p>
<p style="font-family: monospace; font-size: 32px; font-weight: bold; letter-spacing: 4px">${code}</p>
<p lang="zh">${validSeconds} 秒内有效，请勿告诉任何人。如果不是您本人操作，请忽略此邮件。</p>
<p lang="en">It is valid for ${validSeconds} seconds. Tell it to nobody. If you did not ask for it, ignore this mail.</p>
</body>
</html>
`,
  };
}
