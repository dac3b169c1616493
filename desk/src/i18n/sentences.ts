/**
 * Maps the service's English sentences to Chinese. `{0}` is a placeholder for a value, which may
 * itself be a sentence or a word. The first matching pattern wins. `sentences.spec.ts` lists the
 * missing sentences.
 */
const CHINESE: Record<string, string> = {
  '{0} is not an address': '{0} 不是 IP 地址',
  '{0} is not blocked by an operator': '{0} 没有被运营人员封锁',
  '{0} belongs to this service or its game servers': '{0} 属于本服务或游戏服务器',
  '{0} is already disabled': '{0} 已经停用',
  '{0} is not disabled': '{0} 没有停用',
  '{0} is not banned': '{0} 没有被封禁',
  '{0} has no ban {1} in force': '{0} 没有编号为 {1} 的有效封禁',
  '{0} has an open withdrawal: settle it first': '{0} 有一笔未完成的提现：请先认定',
  '{0} is already closing': '{0} 已申请注销',
  '{0} is not closing': '{0} 没有申请注销',
  '{0} is closed for good': '{0} 已注销',
  'player {0} has no second factor': '玩家 {0} 没有开启两步验证',
  'the end of a ban must be in the future': '封禁的结束时间必须在将来',
  '{0} has no identity of {1}': '{0} 没有关联 {1} 身份',
  'the account is already called {0}': '账号名已经是 {0}',
  'the name {0} has roles of another or a former player':
    '名字 {0} 下有其他玩家或已不存在的账号的角色',
  'another player signs in as {0}': '其他玩家以 {0} 登录',
  'somebody else renamed it meanwhile': '其他人刚刚改过这个账号名',
  '{0} has no mailbox, so the owner could not sign in again':
    '{0} 没有邮箱：没有邮箱，账号主人无法找回账号',
  'there is no player {0}': '玩家 {0} 不存在',
  'another account has it': '已被其他账号使用',
  '{0} is not a spelling that the game could use for {1}': '游戏不会把 {1} 写成 {0}',
  'the servers spell the name of its roles as {0}, but it can keep only one spelling: specify which one':
    '各区服中该角色的账号名写作 {0}，只能保留一个：请填写是哪一个',
  '{0}; it may spell the name differently: make it reachable, or specify the spelling':
    '{0}；该区服的写法可能不同：请先恢复该区服，或填写写法',
  'failed logins are not counted in Redis but in the memory of each instance: restart the instances, or wait':
    '登录失败次数没有记录在 Redis，而在各实例的内存中：请重启实例，或等待',
  'another request for {0} {1} was made at the same time: reload and check it':
    '同时有另一份针对{0} {1} 的申请：请刷新后核对',
  'the request for {0} {1} was cancelled in the meantime': '针对{0} {1} 的申请刚刚被撤回',
  '{0} has already asked for it: a second person has to agree': '{0} 已提出申请：需要另一人确认',
  '{0} has asked for it: decline it instead': '这是 {0} 提出的：请选择“不同意”',
  'that session has already ended': '该会话已经结束',
  '{0} asks for {1}, not {2}: agree with each other, or cancel that request first':
    '{0} 申请的是 {1}，不是 {2}：请先达成一致，或先撤回该申请',
  'there is no request for {0} {1}': '没有针对{0} {1} 的申请',
  'the server is not added: {0}': '区服未新增：{0}',
  'somebody else has changed server {0} meanwhile, repeat it to overwrite: {1}':
    '其他人刚刚修改了区服 {0}，再次提交将覆盖：{1}',
  '{0} is now {1}': '{0}现为 {1}',
  'server {0} is not changed: {1}': '区服 {0} 未修改：{1}',
  'server {0} is not merged into another': '区服 {0} 没有并入其他区服',
  'nothing changed: {0}': '没有变化：{0}',
  'the server already exists': '该区服已存在',
  'server {0} already exists': '已有编号为 {0} 的区服',
  'the database rejected the row: {0}': '数据库拒绝了这些数据：{0}',
  'there is no server {0} to be merged into': '要并入的区服 {0} 不存在',
  'there is no server {0}': '区服 {0} 不存在',
  'the id of a server cannot be changed': '区服编号不能修改',
  'server {0} is {1}: it has to be in maintenance first': '区服 {0} 的状态是{1}：需要先进入维护',
  'settle these withdrawals first: {0}': '请先认定这些提现：{0}',
  'it cannot be merged into itself': '不能并入自己',
  'server {0} is merged into it, directly or indirectly, so the merges would form a circle':
    '区服 {0} 最终并入了本区服：形成循环',
  'more than {0} merges follow each other': '连续合服超过 {0} 次',
  "the mailbox of {0} changed within 72 hours, from {1}: name the owner's, not a new one":
    '{0} 的邮箱在 72 小时内更换过，原为 {1}：请填写失主的邮箱，而不是新邮箱',
  'withdrawal {0} is {1}; only a settled one can be reopened':
    '提现 {0} 的状态是{1}，只有已完成的才能重新核实',
  'withdrawal {0} is {1}; only an unknown one can be settled':
    '提现 {0} 的状态是{1}，只有结果未知的才能认定',
  'withdrawal {0} already has the status {1}; to correct that, reopen it first':
    '提现 {0} 的状态已是{1}；如需更正，请先重新核实',
  'withdrawal {0} was never sent: there is nothing to find out':
    '提现 {0} 从未发出：没有需要核实的内容',
  'the role of withdrawal {0} has another open withdrawal: settle that one first':
    '提现 {0} 的角色另有一笔未完成的提现：请先认定那一笔',
  'withdrawal {0} was changed by somebody else meanwhile': '提现 {0} 刚刚被其他人修改',
  'only withdrawals of the same server can be settled together': '只能一并认定同一区服的提现',
  'some of them are already waiting for a second person: decide these first, without the others: {0}':
    '其中一部分已在等待第二人确认：请先单独处理这些：{0}',
  'must be ids': '必须是编号',
  'there is no withdrawal {0}': '提现 {0} 不存在',
  'under four-eyes approval, only the command gatehouse operator adds, resets and enables operators':
    '启用双人复核后，只能用命令 gatehouse operator 新增、重置或启用运营人员',
  'this is your own account: ask another admin': '这是你自己的账号：请联系其他管理员',
  'there is no operator {0}': '运营人员 {0} 不存在',
  'operator {0} already exists': '{0} 已存在',
  'a name is 2 to 32 lowercase letters, digits and . _ -':
    '用户名为 2 到 32 个小写字母、数字或 . _ -',
  'must be lowercase letters, digits and . _ -': '只能含有小写字母、数字或 . _ -',
  'must differ from the current password': '不能与当前密码相同',
  'a role is {0}': '角色是 {0} 之一',
  'the role of {0} is already {1}': '{0} 已经是{1}',
  'the name {0}': '账号名{0}',
  'the mailbox {0}': '邮箱{0}',
  'the password {0}': '密码{0}',
  'must not be one repeated character': '不能是同一个字符的重复',
  'must not contain the account': '不能包含账号名',
  'must not contain the mailbox': '不能包含邮箱名',
  'must not be a common password': '过于常见，不能使用',
  // The name of a field precedes these sentences.
  'its {0}': '{0}',
  '{0} is not in game_hosts of the settings': '{0} 不在设置 game_hosts 中',
  'EVENT_SECRETS has no secret for {0}': 'EVENT_SECRETS 中没有 {0} 的密钥',
  'the setting `events` no longer contains it': '设置 events 中已没有该接收端',
  'it answered 410, so it gets nothing until the settings file changes':
    '它返回了 410：修改设置文件之前不再发送',
  'is empty, but a scheduled server needs a time': '为空，而定时开服需要填写时间',
  'a closed server does not open by itself; choose scheduled to open it at that time, or remove the time':
    '为“关闭”时不会自动开服：如需到时开服，请选择“定时开服”，否则请清空开服时间',
  'is empty; write NULL for none': '为空',
  'is empty': '为空',
  'is not a host name or address': '不是主机名或 IP 地址',
  '{0} is not between 1 and 65535': ' {0} 不在 1 到 65535 之间',
  '"{0}" is unknown': '“{0}”无法识别',
  'is not a time': '不是有效时间',
  'does not start with /': '必须以 / 开头',
  'is not known': '无法识别',
  'is not well-formed': '格式不正确',
  'must be a string': '必须是文字',
  'must be plain text': '含有无法保存的字符',
  'must be true or false': '必须是“是”或“否”',
  'must be a whole number from {0} to {1}': '必须是 {0} 到 {1} 的整数',
  'must be a whole number of at least {0}': '必须是不小于 {0} 的整数',
  'must be {0} to {1} characters long': '长度必须是 {0} 到 {1} 个字符',
  'must be {0} characters long': '长度必须是 {0} 个字符',
  'must be one of {0}': '必须是 {0} 之一',
  'must be a time in UTC, such as {0}': '必须是 UTC 时间，例如 {0}',
  'must be an address': '必须是 IP 地址',
  'must be an e-mail address': '必须是邮箱地址',
  'must say why': '必须填写',
  'must say what to change': '没有要修改的内容',
  'must be {0} to {1} ids': '必须是 {0} 到 {1} 个编号',
  'must be letters, digits and _': '只能含有字母、数字和 _',
  'must be a time, or `next` of a page': '必须是时间',
  'must be of {0}': '必须是 {0} 之一',
  'must be an object': '格式不正确',
  'must be csv or json': '必须是 csv 或 json',
  'it is not on record which game server it was sent to': '没有记录它发给了哪台游戏服务器',
  '{0} is this service itself': '{0} 是本服务自己的地址',
  'server {0} is gone or was merged': '区服 {0} 已不存在或已合并',
  'it was sent to {0}, but server {1} names {2} now': '它发给了 {0}，但区服 {1} 现在填写的是 {2}',
  // These sentences are evidence of withdrawals and notes about changed settings.
  'player {0}, request {1}': '玩家 {0}，请求 {1}',
  'player {0}': '玩家 {0}',
  'balance {0}': '余额 {0}',
  'no answer within {0} s': '{0} 秒内无应答',
  'gave up before sending': '发送前放弃',
  'the balance could not be read': '无法读取余额',
  'the account changed before the order was sent': '发送前账号有变更',
  'a direct edit of {0}, in force on this instance since {1}':
    '直接修改了 {0}，自 {1} 起在此实例生效',
  '{0}, in force on this instance since {1}': '{0}，自 {1} 起在此实例生效',
  'must have no control or direction characters': '不能含有控制字符或方向字符',
};

const PATTERNS = Object.keys(CHINESE).map((english) => {
  const text = english.replaceAll(/[.*+?^$()|[\]\\/]/g, String.raw`\$&`);
  return { english, pattern: new RegExp(`^${text.replaceAll(/\{\d\}/g, '(.+?)')}$`, 's') };
});

/**
 * Returns a sentence of the service in Chinese, or undefined if the sentence is unknown. `word`
 * translates single words, such as a state.
 */
export function toChinese(sentence: string, word: (name: string) => string): string | undefined {
  for (const { english, pattern } of PATTERNS) {
    const match = pattern.exec(sentence);
    if (!match) continue;
    const values = match.slice(1).map((value) => partsOf(value, word));
    return CHINESE[english]!.replaceAll(/\{(\d)\}/g, (_, index: string) => values[Number(index)]!);
  }
  return undefined;
}

/** Translates the problems that one sentence lists. Each problem follows the name of its column. */
function partsOf(value: string, word: (name: string) => string): string {
  return value
    .split('; ')
    .map((part) => {
      const [, first = '', rest = ''] = /^(\w+) (.+)$/s.exec(part) ?? [];
      const isColumn = first !== '' && word(first) !== first;
      const problem = isColumn ? toChinese(rest, word) : undefined;
      return problem ? word(first) + problem : (toChinese(part, word) ?? word(part));
    })
    .join('；');
}
