/** The consent of a recipient before signing electronically. A change of any text needs a new version. */
import { createHash } from 'node:crypto'
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'

const version = '2026-11-1'

const texts: Record<SigningLanguage, string> = {
  en: 'I agree to sign this document electronically. My electronic signature has the same effect as one on paper, as far as the law allows. I can decline and ask the sender for a paper copy instead. I can open and store PDF files, and I will receive the signed document by email.',
  de: 'Ich bin damit einverstanden, dieses Dokument elektronisch zu unterschreiben. Meine elektronische Unterschrift hat dieselbe Wirkung wie eine auf Papier, soweit das Gesetz es zulässt. Ich kann ablehnen und den Absender stattdessen um ein Exemplar auf Papier bitten. Ich kann PDF-Dateien öffnen und speichern und erhalte das unterschriebene Dokument per E-Mail.',
  fr: 'J’accepte de signer ce document par voie électronique. Ma signature électronique a le même effet qu’une signature sur papier, dans la mesure où la loi le permet. Je peux refuser et demander à l’expéditeur un exemplaire papier. Je peux ouvrir et conserver des fichiers PDF, et je recevrai le document signé par e-mail.',
  es: 'Acepto firmar este documento electrónicamente. Mi firma electrónica tiene el mismo efecto que una en papel, en la medida en que la ley lo permita. Puedo rechazar y pedir al remitente una copia en papel. Puedo abrir y guardar archivos PDF, y recibiré el documento firmado por correo electrónico.',
  pt: 'Aceito assinar este documento eletronicamente. A minha assinatura eletrónica tem o mesmo efeito que uma em papel, na medida em que a lei o permita. Posso recusar e pedir ao remetente uma cópia em papel. Posso abrir e guardar ficheiros PDF, e receberei o documento assinado por e-mail.',
  zh: '我同意以电子方式签署本文件。在法律允许的范围内，我的电子签名与纸质签名具有同等效力。我可以拒绝签署，并请发件人提供纸质文件。我能够打开和保存 PDF 文件，并将通过电子邮件收到已签署的文件。',
  ja: '私は、この書類に電子的に署名することに同意します。私の電子署名は、法律の認める範囲で、紙への署名と同じ効力を持ちます。署名を辞退し、代わりに紙の書類を送信者に求めることができます。私は PDF ファイルを開いて保存でき、署名済みの書類をメールで受け取ります。',
  ar: 'أوافق على توقيع هذا المستند إلكترونيًا. لتوقيعي الإلكتروني الأثر نفسه الذي للتوقيع على الورق، بقدر ما يسمح به القانون. يمكنني الرفض وطلب نسخة ورقية من المرسل بدلاً من ذلك. يمكنني فتح ملفات PDF وحفظها، وسأتلقى المستند الموقّع عبر البريد الإلكتروني.',
}

interface Consent {
  version: string
  text: string
  hash: string
}

const consentOf = ([language, text]: [string, string]): [string, Consent] => {
  const hash = createHash('sha256').update(text).digest('hex')
  return [language, { version: `${version}-${language}`, text, hash }]
}

const consents = Object.fromEntries(Object.entries(texts).map(consentOf)) as Record<SigningLanguage, Consent>

export const consentIn = (language: SigningLanguage): Consent => consents[language]
