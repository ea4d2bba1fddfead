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
  unproven: {
    sender: 'どなたか',
    title: '書類',
    note: '送信者はメールアドレスを確認していないため、このメールには送信者の名乗る名前や書いた内容を記載していません。心当たりがある場合にのみ書類を開いてください。',
    footer:
      'このリンクはご本人専用です。リンクを持つ人は、あなたに代わって操作できます。このメールを転送しないでください。',
  },
  stop: '宛先が違う場合、またはこの送信者からのメールを停止する場合',
  notMe: {
    subject: (title) => `受信者が「${title}」は自分宛てではないと回答しました`,
    body: (name, email) =>
      `${name} さん（${email}）は、ご自身は宛先の人物ではないと回答しました。リンクは無効になりました。メールアドレスを訂正するか、受信者を変更するか、書類を取り消してください。`,
  },
  noMoreMail: {
    subject: (name) => `${name} さんはあなたからのメールを希望していません`,
    body: (name, email) =>
      `${name} さん（${email}）は、あなたからのメールの停止を希望しました。リマインダーや新しい書類は送信されません。`,
  },
  open: '書類を開く',
}
