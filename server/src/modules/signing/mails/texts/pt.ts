import type { MailTexts } from './texts.ts'

export const pt: MailTexts = {
  request: {
    sign: (sender, title) => `${sender} pede que assine “${title}”`,
    approve: (sender, title) => `${sender} pede que aprove “${title}”`,
    view: (sender, title) => `${sender} partilha “${title}” consigo`,
    body: (sender) => `${sender} enviou-lhe este documento. Não precisa de uma conta.`,
    until: (date) => `Conclua até ${date}.`,
    button: 'Abrir documento',
    codeNote: 'Para o abrir, introduza um código que enviamos para este endereço.',
    footer: (sender, email) =>
      `Esta ligação é pessoal: quem a tiver pode agir em seu nome. Não reencaminhe este e-mail. Dúvidas? Escreva a ${sender} (${email}).`,
  },
  reminder: {
    subject: (title) => `Lembrete: “${title}” está à sua espera`,
    body: (sender) => `${sender} ainda espera que conclua este documento.`,
  },
  code: {
    subject: 'O seu código para abrir o documento',
    body: 'Introduza este código para abrir o documento. Funciona uma vez e expira em cinco minutos.',
    footer: 'Se não pediu um código, pode ignorar este e-mail.',
  },
  completed: {
    subject: (title) => `Concluído: “${title}”`,
    body: 'Todos assinaram. Pode transferir o documento selado.',
    button: 'Transferir documento',
  },
  declined: {
    subject: (name, title) => `${name} recusou “${title}”`,
    body: (name) => `${name} recusou assinar. O documento está fechado e mais ninguém o pode assinar.`,
    reason: (text) => `Motivo: ${text}`,
  },
  cancelled: {
    subject: (title) => `Cancelado: “${title}”`,
    body: (sender) => `${sender} cancelou este documento. Não precisa de fazer nada.`,
    reason: (text) => `Motivo: ${text}`,
  },
  expired: {
    subject: (title) => `Expirado: “${title}”`,
    body: 'O documento expirou antes de todos assinarem. Já ninguém o pode assinar.',
  },
  unproven: {
    sender: 'Alguém',
    title: 'Documento',
    note: 'O remetente não confirmou o endereço de e-mail, por isso esta mensagem não diz como se chama nem o que escreveu. Abra o documento apenas se estiver à espera de um.',
    footer: 'Esta ligação é pessoal: quem a tiver pode agir em seu nome. Não reencaminhe este e-mail.',
  },
  stop: 'Não é para si, ou não quer mais e-mails deste remetente?',
  notMe: {
    subject: (title) => `Um destinatário diz que “${title}” não é para ele`,
    body: (name, email) =>
      `${name} (${email}) diz que não é a pessoa indicada. As suas ligações deixaram de funcionar. Corrija o endereço de e-mail, substitua a pessoa ou cancele o documento.`,
  },
  noMoreMail: {
    subject: (name) => `${name} não quer e-mails seus`,
    body: (name, email) =>
      `${name} (${email}) pediu para não receber mais e-mails seus. Não lhe enviaremos lembretes nem novos documentos.`,
  },
  open: 'Abrir documento',
}
