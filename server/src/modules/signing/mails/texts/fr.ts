import type { MailTexts } from './texts.ts'

export const fr: MailTexts = {
  request: {
    sign: (sender, title) => `${sender} vous invite à signer « ${title} »`,
    approve: (sender, title) => `${sender} vous invite à approuver « ${title} »`,
    view: (sender, title) => `${sender} partage « ${title} » avec vous`,
    body: (sender) => `${sender} vous a envoyé ce document. Vous n’avez pas besoin de compte.`,
    until: (date) => `Merci de terminer avant le ${date}.`,
    button: 'Ouvrir le document',
    codeNote: 'Pour l’ouvrir, vous saisirez un code que nous envoyons à cette adresse.',
    footer: (sender, email) =>
      `Ce lien est personnel : toute personne qui le possède peut agir en votre nom. Ne transférez pas cet e-mail. Une question ? Écrivez à ${sender} (${email}).`,
  },
  reminder: {
    subject: (title) => `Rappel : « ${title} » vous attend`,
    body: (sender) => `${sender} attend toujours que vous terminiez ce document.`,
  },
  code: {
    subject: 'Votre code pour ouvrir le document',
    body: 'Saisissez ce code pour ouvrir le document. Il est valable une seule fois et expire dans cinq minutes.',
    footer: 'Si vous n’avez pas demandé de code, vous pouvez ignorer cet e-mail.',
  },
  completed: {
    subject: (title) => `Terminé : « ${title} »`,
    body: 'Tout le monde a signé. Vous pouvez télécharger le document scellé.',
    button: 'Télécharger le document',
  },
  declined: {
    subject: (name, title) => `${name} a refusé « ${title} »`,
    body: (name) => `${name} a refusé de signer. Le document est clos et plus personne ne peut le signer.`,
    reason: (text) => `Motif : ${text}`,
  },
  cancelled: {
    subject: (title) => `Annulé : « ${title} »`,
    body: (sender) => `${sender} a annulé ce document. Vous n’avez rien à faire.`,
    reason: (text) => `Motif : ${text}`,
  },
  expired: {
    subject: (title) => `Expiré : « ${title} »`,
    body: 'Le document a expiré avant que tout le monde ait signé. Plus personne ne peut le signer.',
  },
  unproven: {
    sender: 'Quelqu’un',
    title: 'Document',
    note: 'L’expéditeur n’a pas confirmé son adresse e-mail. Ce message ne reprend donc ni son nom ni ce qu’il a écrit. N’ouvrez le document que si vous en attendez un.',
    footer:
      'Ce lien est personnel : toute personne qui le possède peut agir en votre nom. Ne transférez pas cet e-mail.',
  },
  stop: 'Ce n’est pas pour vous, ou vous ne voulez plus d’e-mails de cet expéditeur ?',
  notMe: {
    subject: (title) => `Un destinataire indique que « ${title} » ne lui est pas destiné`,
    body: (name, email) =>
      `${name} (${email}) indique ne pas être la personne visée. Ses liens ne fonctionnent plus. Corrigez l’adresse e-mail, remplacez cette personne ou annulez le document.`,
  },
  noMoreMail: {
    subject: (name) => `${name} ne veut pas d’e-mails de votre part`,
    body: (name, email) =>
      `${name} (${email}) a demandé à ne plus recevoir d’e-mails de votre part. Nous ne lui enverrons ni rappels ni nouveaux documents.`,
  },
  open: 'Ouvrir le document',
}
