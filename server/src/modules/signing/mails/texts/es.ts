import type { MailTexts } from './texts.ts'

export const es: MailTexts = {
  request: {
    sign: (sender, title) => `${sender} le pide que firme «${title}»`,
    approve: (sender, title) => `${sender} le pide que apruebe «${title}»`,
    view: (sender, title) => `${sender} comparte «${title}» con usted`,
    body: (sender) => `${sender} le ha enviado este documento. No necesita una cuenta.`,
    until: (date) => `Complételo antes del ${date}.`,
    button: 'Abrir documento',
    codeNote: 'Para abrirlo, introducirá un código que enviamos a esta dirección.',
    footer: (sender, email) =>
      `Este enlace es personal: quien lo tenga puede actuar en su nombre. No reenvíe este correo. ¿Preguntas? Escriba a ${sender} (${email}).`,
  },
  reminder: {
    subject: (title) => `Recordatorio: «${title}» le espera`,
    body: (sender) => `${sender} todavía espera que complete este documento.`,
  },
  code: {
    subject: 'Su código para abrir el documento',
    body: 'Introduzca este código para abrir el documento. Sirve una sola vez y caduca en cinco minutos.',
    footer: 'Si no ha pedido un código, puede ignorar este correo.',
  },
  completed: {
    subject: (title) => `Completado: «${title}»`,
    body: 'Todos han firmado. Puede descargar el documento sellado.',
    button: 'Descargar documento',
  },
  declined: {
    subject: (name, title) => `${name} ha rechazado «${title}»`,
    body: (name) => `${name} ha rechazado firmar. El documento está cerrado y nadie más puede firmarlo.`,
    reason: (text) => `Motivo: ${text}`,
  },
  cancelled: {
    subject: (title) => `Cancelado: «${title}»`,
    body: (sender) => `${sender} ha cancelado este documento. No tiene que hacer nada.`,
    reason: (text) => `Motivo: ${text}`,
  },
  expired: {
    subject: (title) => `Caducado: «${title}»`,
    body: 'El documento ha caducado antes de que todos firmaran. Ya nadie puede firmarlo.',
  },
  unproven: {
    sender: 'Alguien',
    title: 'Documento',
    note: 'El remitente no ha confirmado su dirección de correo, por lo que este mensaje no dice cómo se llama ni qué ha escrito. Abra el documento solo si espera uno.',
    footer: 'Este enlace es personal: quien lo tenga puede actuar en su nombre. No reenvíe este correo.',
  },
  stop: '¿No es para usted, o no quiere más correos de este remitente?',
  notMe: {
    subject: (title) => `Un destinatario dice que «${title}» no es para él`,
    body: (name, email) =>
      `${name} (${email}) dice que no es la persona a la que se dirige. Sus enlaces ya no funcionan. Corrija la dirección de correo, sustituya a la persona o cancele el documento.`,
  },
  noMoreMail: {
    subject: (name) => `${name} no quiere correos suyos`,
    body: (name, email) =>
      `${name} (${email}) ha pedido no recibir más correos suyos. No le enviaremos recordatorios ni documentos nuevos.`,
  },
  open: 'Abrir documento',
}
