/** Pure. An entry of the audit log as a sentence. */
import type { Entry } from './api.ts'

type Say = (who: string, detail: Entry['detail']) => string

const textIn = (detail: Entry['detail'], key: string): string => {
  const value = detail[key]
  return typeof value === 'string' ? value : ''
}

const personIn = (detail: Entry['detail'], key: string): string => {
  const value = detail[key]
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : 'someone'
}

/** Without a mail server the email is only kept for the platform admin. */
const sentIn = (detail: Entry['detail'], what: string): string => {
  if (detail['refusesMail'] === true) return `${what} not emailed (they want no emails) to`
  return detail['emailed'] === false ? `${what} not emailed (no mail server) to` : `${what} emailed to`
}

const openings: Record<string, string> = {
  account: 'signed in and opened the document',
  copied_link: 'opened the document with a link that wasn’t emailed',
}

const sentences: Record<string, Say> = {
  created: (who) => `${who} created the document`,
  changed: (who) => `${who} changed the settings`,
  file_added: (who, detail) => `${who} added ${textIn(detail, 'name') || 'a file'}`,
  file_removed: (who, detail) => `${who} removed ${textIn(detail, 'name') || 'a file'}`,
  files_ordered: (who) => `${who} reordered the files`,
  recipients_changed: (who) => `${who} changed the recipients`,
  fields_changed: (who) => `${who} changed the fields`,
  sent: (who) => `${who} sent the document`,
  notified: (_, detail) => `${sentIn(detail, 'Link')} ${textIn(detail, 'name') || textIn(detail, 'email')}`,
  reminded: (_, detail) =>
    `${sentIn(detail, 'Reminder')} ${textIn(detail, 'name') || textIn(detail, 'email') || 'a recipient'}`,
  link_resent: (who, detail) => {
    const previous = textIn(detail, 'previousEmail')
    if (previous !== '')
      return `${who} corrected the email from ${previous} to ${textIn(detail, 'email')}; earlier links ended`
    return detail['emailed'] === false
      ? `${who} made a new link for ${textIn(detail, 'email')}, not emailed (no mail server)`
      : `${who} sent a new link to ${textIn(detail, 'email')}; earlier links ended`
  },
  link_copied: (who, detail) => `${who} copied the link for ${textIn(detail, 'name')} to hand it over`,
  code_requested: (who) => `${who} requested a code`,
  code_failed: (who) => `${who} entered a wrong code`,
  code_verified: (who) => `${who} entered the right code`,
  file_fetched: (who, detail) => `${who} received ${textIn(detail, 'name') || 'a file'}`,
  opened: (who, detail) => `${who} ${openings[textIn(detail, 'via')] ?? 'opened the document'}`,
  consented: (who) => `${who} agreed to sign electronically`,
  fields_filled: (who) => `${who} filled in fields`,
  signed: (who) => `${who} signed`,
  declined: (who, detail) => `${who} declined${textIn(detail, 'reason') ? `: “${textIn(detail, 'reason')}”` : ''}`,
  delegated: (who, detail) => `${who} passed the document on to ${personIn(detail, 'to')}`,
  recipient_replaced: (who, detail) => `${who} replaced ${personIn(detail, 'from')} with ${personIn(detail, 'to')}`,
  not_me: (who, detail) =>
    `${who} says that this isn’t for them${detail['endsLinks'] === false ? '' : '; their links ended'}`,
  mail_refused: (who) => `${who} wants no more emails from the sender`,
  mail_wanted: (who) => `${who} wants emails from the sender again`,
  cancelled: (who, detail) =>
    `${who} cancelled the document${textIn(detail, 'reason') ? `: “${textIn(detail, 'reason')}”` : ''}`,
  expired: () => 'The document expired',
  seal_failed: () => 'Sealing failed',
  seal_retried: (who) => `${who} started sealing again`,
  sealed: () => 'The document was sealed',
  completed: () => 'The document was completed',
  downloaded: (who) => `${who} downloaded the document`,
  upload_downloaded: (who, detail) => `${who} downloaded ${textIn(detail, 'name') || 'a file'} as it was uploaded`,
  deleted: (who) => `${who} deleted the document`,
}

/** A type that this version doesn't know is shown by its name. */
export function entryText({ type, actor, detail }: Pick<Entry, 'type' | 'actor' | 'detail'>): string {
  const who = actor.name ?? actor.email ?? (actor.type === 'system' ? 'Chancery' : 'Someone')
  return sentences[type]?.(who, detail) ?? type.replaceAll('_', ' ')
}
