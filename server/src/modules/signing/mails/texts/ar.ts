import type { MailTexts } from './texts.ts'

export const ar: MailTexts = {
  request: {
    sign: (sender, title) => `يطلب منك ${sender} توقيع «${title}»`,
    approve: (sender, title) => `يطلب منك ${sender} الموافقة على «${title}»`,
    view: (sender, title) => `يشارك ${sender} معك «${title}»`,
    body: (sender) => `أرسل إليك ${sender} هذا المستند. لا تحتاج إلى حساب.`,
    until: (date) => `يُرجى الإنهاء قبل ${date}.`,
    button: 'فتح المستند',
    codeNote: 'لفتحه ستُدخل رمزًا نرسله إلى هذا العنوان.',
    footer: (sender, email) =>
      `هذا الرابط شخصي: من يملكه يمكنه التصرف باسمك. لا تُعِد توجيه هذه الرسالة. لديك سؤال؟ اكتب إلى ${sender} (${email}).`,
  },
  reminder: {
    subject: (title) => `تذكير: «${title}» في انتظارك`,
    body: (sender) => `لا يزال ${sender} ينتظر إنهاءك لهذا المستند.`,
  },
  code: {
    subject: 'رمزك لفتح المستند',
    body: 'أدخل هذا الرمز لفتح المستند. يعمل مرة واحدة وتنتهي صلاحيته بعد خمس دقائق.',
    footer: 'إذا لم تطلب رمزًا، يمكنك تجاهل هذه الرسالة.',
  },
  completed: {
    subject: (title) => `اكتمل: «${title}»`,
    body: 'وقّع الجميع. يمكنك تنزيل المستند المختوم.',
    button: 'تنزيل المستند',
  },
  declined: {
    subject: (name, title) => `رفض ${name} «${title}»`,
    body: (name) => `رفض ${name} التوقيع. أُغلق المستند ولا يمكن لأحد آخر توقيعه.`,
    reason: (text) => `السبب: ${text}`,
  },
  cancelled: {
    subject: (title) => `أُلغي: «${title}»`,
    body: (sender) => `ألغى ${sender} هذا المستند. لا يلزمك فعل أي شيء.`,
    reason: (text) => `السبب: ${text}`,
  },
  expired: {
    subject: (title) => `انتهت صلاحية «${title}»`,
    body: 'انتهت صلاحية المستند قبل أن يوقّع الجميع. لا يمكن لأحد توقيعه بعد الآن.',
  },
  open: 'فتح المستند',
}
