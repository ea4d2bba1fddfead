/** Lays out a mail: plain text for every reader, and the same as simple HTML that needs no style sheet and no image. */

import type { Words } from './words.ts'

interface Letter {
  /** The title, unless it says more than that. */
  subject?: Words
  title: Words
  paragraphs: readonly Words[]
  action?: { label: string; url: string }
  /** A code to type, shown large. */
  code?: string
  footer?: Words
  /** Another way, small and last: not to get such mails, for one. */
  wayOut?: { label: string; url: string }
  /** The language of the text, for screen readers and for Arabic, which runs from right to left. Defaults to English. */
  language?: string
}

export const compose = (letter: Letter): { subject: string; text: string; html: string } => {
  for (const link of [letter.action, letter.wayOut])
    if (link && !/^https?:$/.test(new URL(link.url).protocol)) throw new Error('A mail links to web addresses only.')
  return { subject: letter.subject ?? letter.title, text: composeText(letter), html: composeHtml(letter) }
}

const composeText = ({ title, paragraphs, action, code, footer, wayOut }: Letter): string => {
  const parts: string[] = [title, ...paragraphs]
  if (code !== undefined) parts.push(`    ${code}`)
  if (action) parts.push(`${action.label}:\n${action.url}`)
  if (footer !== undefined) parts.push(`--\n${footer}`)
  if (wayOut) parts.push(`${wayOut.label}\n${wayOut.url}`)
  return `${parts.join('\n\n')}\n`
}

const paper = '#faf8f4'
const ink = '#191b22'
const faded = '#6b6a66'
const rule = '#e4dfd5'
const sealRed = '#b23a2b'
const serif = "Georgia,'Times New Roman',serif"
const sans = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const mono = "ui-monospace,Menlo,Consolas,'Courier New',monospace"

const composeHtml = ({ title, paragraphs, action, code, footer, wayOut, language = 'en' }: Letter): string => {
  const body = [
    element('h1', `margin:0 0 20px;font:600 22px/1.3 ${serif};color:${ink}`, escapeHtml(title)),
    ...paragraphs.map((paragraph) => element('p', `margin:0 0 16px;font:16px/1.6 ${sans}`, escapeHtml(paragraph))),
  ]
  if (code !== undefined) body.push(element('p', codeStyle, escapeHtml(code)))
  if (action) body.push(button(action))
  if (footer !== undefined) body.push(element('p', footerStyle, escapeHtml(footer)))
  if (wayOut) body.push(element('p', wayOutStyle, smallLink(wayOut)))
  return page({ title, language }, body.join('\n'))
}

const codeStyle = `margin:0 0 20px;padding:14px 18px;background:#ffffff;border:1px solid ${rule};font:600 26px/1.2 ${mono};letter-spacing:6px;color:${ink}`
const footerStyle = `margin:28px 0 0;padding-top:16px;border-top:1px solid ${rule};font:13px/1.5 ${sans};color:${faded}`
const wayOutStyle = `margin:12px 0 0;font:13px/1.5 ${sans};color:${faded}`
const buttonStyle = `display:inline-block;padding:12px 22px;background:${sealRed};color:#ffffff;font:600 16px/1 ${sans};text-decoration:none;border-radius:4px`

/** The address stands below the button as well, for those who want to see where it leads. */
const button = ({ label, url }: { label: string; url: string }): string => {
  const link = `<a href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(label)}</a>`
  const plain = element(
    'p',
    `margin:0 0 16px;font:13px/1.5 ${sans};color:${faded};word-break:break-all`,
    escapeHtml(url),
  )
  return `${element('p', 'margin:24px 0 12px', link)}\n${plain}`
}

const smallLink = ({ label, url }: { label: string; url: string }): string =>
  `<a href="${escapeHtml(url)}" style="color:${faded}">${escapeHtml(label)}</a>`

const page = ({ title, language }: { title: string; language: string }, body: string): string => `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:${paper};color:${ink}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${paper}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;border-top:3px solid ${sealRed}"><tr><td style="padding:28px 4px">
${body}
</td></tr></table>
</td></tr></table>
</body>
</html>
`

const element = (tag: string, style: string, content: string): string => `<${tag} style="${style}">${content}</${tag}>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
