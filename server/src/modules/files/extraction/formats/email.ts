/** E-mail: its headers, its text, and what is attached, each attachment read as the file it is. */
import PostalMime, { type Address } from 'postal-mime'
import type { Emit } from '../blocks.ts'
import { emitHtml } from './html.ts'
import { emitText } from './text.ts'

const maxAttachments = 50

export const emitEmail = async (
  bytes: Uint8Array,
  emit: Emit,
  readAttachment: (bytes: Uint8Array, name: string, emit: Emit) => Promise<void>,
): Promise<void> => {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 20 })
  const heading = mail.subject ?? ''
  const under: Emit = (block) => emit({ ...block, heading: [heading, block.heading].filter(Boolean).join(' > ') })
  const people = (list: readonly Address[] | undefined) =>
    (list ?? []).map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
  const lines = [
    ['Subject', heading],
    ['From', people(mail.from ? [mail.from] : [])],
    ['To', people(mail.to)],
    ['Cc', people(mail.cc)],
    ['Date', mail.date ?? ''],
  ]
  await under({
    text: lines
      .filter(([, value]) => value)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  })
  if (mail.text?.trim()) await emitText(mail.text, under)
  else if (mail.html) await emitHtml(mail.html, under)
  for (const { filename, content } of mail.attachments.slice(0, maxAttachments)) {
    const name = filename ?? 'attachment'
    const attached: Emit = (block) => under({ ...block, heading: [name, block.heading].filter(Boolean).join(' > ') })
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
    await readAttachment(body, name, attached)
  }
}
