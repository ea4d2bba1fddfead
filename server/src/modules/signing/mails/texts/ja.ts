import type { MailTexts } from './texts.ts'

export const ja: MailTexts = {
  request: {
    sign: (sender, title) => `${sender} さんから「${title}」への署名の依頼`,
    approve: (sender, title) => `${sender} さんから「${title}」の承認の依頼`,
    view: (sender, title) => `${sender} さんが「${title}」を共有しました`,
    body: (sender) => `${sender} さんからこの書類が届いています。アカウントは必要ありません。`,
    until: (date) => `${date} までに完了してください。`,
    button: '書類を開く',
    codeNote: '開くときに、このアドレスに送信するコードを入力します。',
    footer: (sender, email) =>
      `このリンクはご本人専用です。リンクを持つ人は、あなたに代わって操作できます。このメールを転送しないでください。ご質問は ${sender} さん（${email}）まで。`,
  },
  reminder: {
    subject: (title) => `リマインダー：「${title}」がお待ちしています`,
    body: (sender) => `${sender} さんは、この書類の完了をお待ちしています。`,
  },
  code: {
    subject: '書類を開くためのコード',
    body: '書類を開くには、このコードを入力してください。コードは一度だけ使用でき、5分で無効になります。',
    footer: 'コードをリクエストしていない場合は、このメールを無視してください。',
  },
  completed: {
    subject: (title) => `完了：「${title}」`,
    body: '全員が署名しました。封印済みの書類をダウンロードできます。',
    button: '書類をダウンロード',
  },
  declined: {
    subject: (name, title) => `${name} さんが「${title}」を辞退しました`,
    body: (name) => `${name} さんが署名を辞退しました。書類は終了し、ほかの人も署名できません。`,
    reason: (text) => `理由：${text}`,
  },
  cancelled: {
    subject: (title) => `取り消し：「${title}」`,
    body: (sender) => `${sender} さんがこの書類を取り消しました。操作は必要ありません。`,
    reason: (text) => `理由：${text}`,
  },
  expired: {
    subject: (title) => `期限切れ：「${title}」`,
    body: '全員が署名する前に、書類の期限が切れました。もう署名できません。',
  },
  open: '書類を開く',
}
