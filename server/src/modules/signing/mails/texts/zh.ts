import type { MailTexts } from './texts.ts'

export const zh: MailTexts = {
  request: {
    sign: (sender, title) => `${sender} 请您签署“${title}”`,
    approve: (sender, title) => `${sender} 请您审批“${title}”`,
    view: (sender, title) => `${sender} 与您共享“${title}”`,
    body: (sender) => `${sender} 向您发送了这份文件。您无需注册账户。`,
    until: (date) => `请在 ${date} 之前完成。`,
    button: '打开文件',
    codeNote: '打开时需要输入我们发送到此邮箱的验证码。',
    footer: (sender, email) =>
      `此链接仅供您本人使用：持有链接的人可以代您操作，请勿转发此邮件。如有疑问，请联系 ${sender}（${email}）。`,
  },
  reminder: {
    subject: (title) => `提醒：“${title}”等待您处理`,
    body: (sender) => `${sender} 仍在等待您完成这份文件。`,
  },
  code: {
    subject: '您打开文件的验证码',
    body: '请输入此验证码以打开文件。验证码只能使用一次，五分钟后失效。',
    footer: '如果您没有请求验证码，请忽略此邮件。',
  },
  completed: {
    subject: (title) => `已完成：“${title}”`,
    body: '所有人均已签署。您可以下载已盖章的文件。',
    button: '下载文件',
  },
  declined: {
    subject: (name, title) => `${name} 拒绝了“${title}”`,
    body: (name) => `${name} 拒绝签署。文件已关闭，其他人也无法再签署。`,
    reason: (text) => `原因：${text}`,
  },
  cancelled: {
    subject: (title) => `已取消：“${title}”`,
    body: (sender) => `${sender} 取消了这份文件。您无需进行任何操作。`,
    reason: (text) => `原因：${text}`,
  },
  expired: {
    subject: (title) => `已过期：“${title}”`,
    body: '文件在所有人签署之前已过期，无法再签署。',
  },
  unproven: {
    sender: '有人',
    title: '文件',
    note: '发件人尚未验证其邮箱地址，因此本邮件不显示其自称的姓名和所写的内容。请仅在您预期收到文件时打开。',
    footer: '此链接仅供您本人使用：持有链接的人可以代您操作，请勿转发此邮件。',
  },
  stop: '不是发给您的，或不想再收到此发件人的邮件？',
  notMe: {
    subject: (title) => `有收件人表示“${title}”不是发给自己的`,
    body: (name, email) =>
      `${name}（${email}）表示自己不是您要找的人，其链接已失效。请更正邮箱地址、更换收件人或取消文件。`,
  },
  noMoreMail: {
    subject: (name) => `${name} 不想再收到您的邮件`,
    body: (name, email) => `${name}（${email}）要求不再接收您的邮件。我们不会再向其发送提醒或新文件。`,
  },
  open: '打开文件',
}
