import type { MailTexts } from './texts.ts'

export const de: MailTexts = {
  request: {
    sign: (sender, title) => `${sender} bittet Sie, „${title}“ zu unterschreiben`,
    approve: (sender, title) => `${sender} bittet Sie, „${title}“ freizugeben`,
    view: (sender, title) => `${sender} teilt „${title}“ mit Ihnen`,
    body: (sender) => `${sender} hat Ihnen dieses Dokument geschickt. Sie brauchen kein Konto.`,
    until: (date) => `Bitte erledigen Sie es bis zum ${date}.`,
    button: 'Dokument öffnen',
    codeNote: 'Zum Öffnen geben Sie einen Code ein, den wir an diese Adresse senden.',
    footer: (sender, email) =>
      `Dieser Link ist persönlich: Wer ihn hat, kann in Ihrem Namen handeln. Leiten Sie diese E-Mail nicht weiter. Fragen? Schreiben Sie an ${sender} (${email}).`,
  },
  reminder: {
    subject: (title) => `Erinnerung: „${title}“ wartet auf Sie`,
    body: (sender) => `${sender} wartet noch darauf, dass Sie dieses Dokument abschließen.`,
  },
  code: {
    subject: 'Ihr Code zum Öffnen des Dokuments',
    body: 'Geben Sie diesen Code ein, um das Dokument zu öffnen. Er gilt einmal und läuft nach fünf Minuten ab.',
    footer: 'Wenn Sie keinen Code angefordert haben, können Sie diese E-Mail ignorieren.',
  },
  completed: {
    subject: (title) => `Abgeschlossen: „${title}“`,
    body: 'Alle haben unterschrieben. Sie können das versiegelte Dokument herunterladen.',
    button: 'Dokument herunterladen',
  },
  declined: {
    subject: (name, title) => `${name} hat „${title}“ abgelehnt`,
    body: (name) =>
      `${name} hat die Unterschrift abgelehnt. Das Dokument ist geschlossen, niemand kann es mehr unterschreiben.`,
    reason: (text) => `Grund: ${text}`,
  },
  cancelled: {
    subject: (title) => `Abgebrochen: „${title}“`,
    body: (sender) => `${sender} hat dieses Dokument zurückgezogen. Sie müssen nichts weiter tun.`,
    reason: (text) => `Grund: ${text}`,
  },
  expired: {
    subject: (title) => `Abgelaufen: „${title}“`,
    body: 'Das Dokument ist abgelaufen, bevor alle unterschrieben haben. Niemand kann es mehr unterschreiben.',
  },
  unproven: {
    sender: 'Jemand',
    title: 'Dokument',
    note: 'Der Absender hat seine E-Mail-Adresse nicht bestätigt. Deshalb steht in dieser E-Mail weder, wie er sich nennt, noch, was er geschrieben hat. Öffnen Sie das Dokument nur, wenn Sie eines erwarten.',
    footer:
      'Dieser Link ist persönlich: Wer ihn hat, kann in Ihrem Namen handeln. Leiten Sie diese E-Mail nicht weiter.',
  },
  stop: 'Nicht für Sie, oder keine E-Mails mehr von diesem Absender?',
  notMe: {
    subject: (title) => `Ein Empfänger sagt, „${title}“ sei nicht für ihn`,
    body: (name, email) =>
      `${name} (${email}) sagt, nicht die gemeinte Person zu sein. Die Links dieser Person gelten nicht mehr. Berichtigen Sie die E-Mail-Adresse, ersetzen Sie die Person oder brechen Sie das Dokument ab.`,
  },
  noMoreMail: {
    subject: (name) => `${name} möchte keine E-Mails von Ihnen`,
    body: (name, email) =>
      `${name} (${email}) möchte keine E-Mails mehr von Ihnen erhalten. Wir senden dorthin weder Erinnerungen noch neue Dokumente.`,
  },
  open: 'Dokument öffnen',
}
