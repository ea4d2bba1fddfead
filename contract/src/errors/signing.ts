/** Signing: the PDF, the seal, documents, recipients and links. */
import type { ErrorEntry } from './entry.ts'

export const signingErrors = {
  // Signing: the PDF itself
  not_a_pdf: {
    status: 415,
    kind: 'invalid',
    sentence: "This file can't be signed. Upload a PDF, a PNG, JPEG or WebP picture, or a Word or OpenDocument file.",
  },
  signing_ai_off: {
    status: 403,
    kind: 'forbidden',
    sentence: 'AI for documents is off. An admin of your organization can turn it on.',
  },
  text_empty: { status: 422, kind: 'invalid', sentence: 'There is nothing in this text. Write something first.' },
  document_text_too_long: {
    status: 422,
    kind: 'invalid',
    sentence: 'This text is too long for one document: the limit is 300 pages. Split it.',
  },
  text_variables_missing: {
    status: 422,
    kind: 'invalid',
    sentence: 'The text has variables without a value. Give each of them a value.',
  },
  text_tags_unknown: {
    status: 422,
    kind: 'invalid',
    sentence:
      'Something between {{ and }} is neither a variable nor a field. Fields are {{sig:role}}, {{initials:role}}, {{date:role}}, {{text:role:label}} and {{checkbox:role:label}}.',
  },
  text_elements_refused: {
    status: 422,
    kind: 'invalid',
    sentence: "The HTML has elements that can't be in a document. Remove them.",
  },
  text_undrawable: {
    status: 422,
    kind: 'invalid',
    sentence: "The text has characters that can't be printed. Replace them.",
  },
  document_without_text: {
    status: 422,
    kind: 'invalid',
    sentence: 'This document has no text that can be read. It may be a scan.',
  },
  picture_unreadable: {
    status: 422,
    kind: 'invalid',
    sentence: "This picture can't be read. Save it again as PNG or JPEG, or as a PDF.",
  },
  picture_too_large: {
    status: 422,
    kind: 'invalid',
    sentence: 'This picture is too large. The limit is 50 megapixels.',
  },
  converter_missing: {
    status: 415,
    kind: 'invalid',
    sentence:
      "Word and OpenDocument files can't be converted because LibreOffice isn't installed on this server. Upload a PDF, or ask your administrator to install LibreOffice.",
  },
  conversion_failed: {
    status: 422,
    kind: 'invalid',
    sentence: "This file couldn't be converted to PDF. Export it as PDF from its program and upload that.",
  },
  pdf_damaged: {
    status: 422,
    kind: 'invalid',
    sentence: "This PDF is damaged and can't be read. Save it again from its program and upload the new copy.",
  },
  pdf_encrypted: {
    status: 422,
    kind: 'invalid',
    sentence: 'This PDF is protected by a password. Enter it, or remove the protection and upload it again.',
  },
  pdf_password_wrong: { status: 422, kind: 'invalid', sentence: "This password doesn't open the PDF." },
  pdf_xfa: {
    status: 422,
    kind: 'invalid',
    sentence: 'This PDF is an XFA form, which looks different in every program. Print it to a new PDF and upload that.',
  },
  pdf_signed: {
    status: 422,
    kind: 'invalid',
    sentence: 'This PDF is signed already. Its signatures end if it is signed here as a new document.',
  },
  pdf_too_complex: {
    status: 422,
    kind: 'invalid',
    sentence: 'Reading this PDF takes too much time or memory. Print it to a new PDF and upload that.',
  },
  pdf_readers_disagree: {
    status: 422,
    kind: 'invalid',
    sentence: "PDF readers don't agree about what this file shows. Print it to a new PDF and upload that.",
  },
  pdf_too_many_pages: { status: 422, kind: 'invalid', sentence: 'This PDF has too many pages.' },

  // Signing: the seal
  seal_key_unusable: {
    status: 503,
    kind: 'server',
    sentence: "Documents can't be sealed: the sealing certificate can't be used.",
  },
  seal_key_refused: {
    status: 422,
    kind: 'invalid',
    sentence: "This certificate can't seal documents.",
  },
  seal_timestamp_failed: { status: 502, kind: 'provider', sentence: "The time-stamp authority didn't answer." },
  original_changed: {
    status: 500,
    kind: 'server',
    sentence: 'A stored file is missing or has changed since it was uploaded, so the document was not sealed.',
  },
  seal_failed: { status: 500, kind: 'server', sentence: "The document couldn't be sealed. The error has been logged." },

  // Signing: documents, recipients and links
  document_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that document." },
  template_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that template." },
  bulk_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that bulk job." },
  recipient_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that recipient." },
  file_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that file." },
  link_not_found: {
    status: 404,
    kind: 'missing',
    sentence: 'This link is invalid or has expired. Ask the sender for a new one.',
  },
  webhook_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that webhook." },
  webhook_off: { status: 409, kind: 'conflict', sentence: 'This webhook is switched off. Switch it on first.' },
  too_many_webhooks: { status: 409, kind: 'conflict', sentence: 'There can be at most 20 webhooks. Delete one first.' },
  delivery_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that delivery." },
  delivery_pending: { status: 409, kind: 'conflict', sentence: 'This delivery is still being sent.' },
  sender_missing: {
    status: 403,
    kind: 'forbidden',
    sentence: 'A document needs a person who sends it. Choose who this workflow runs as.',
  },
  document_not_ready: { status: 409, kind: 'conflict', sentence: "This document can't be sent yet." },
  document_sent: {
    status: 409,
    kind: 'conflict',
    sentence: "This document has been sent, so it can't be changed any more.",
  },
  document_changed: {
    status: 409,
    kind: 'conflict',
    sentence: 'This document was changed in another tab. Reload it and make your change again.',
  },
  document_not_sent: { status: 409, kind: 'conflict', sentence: "This document hasn't been sent yet." },
  document_in_progress: {
    status: 409,
    kind: 'conflict',
    sentence: 'This document is still being signed. Cancel it before you delete it.',
  },
  document_finished: { status: 409, kind: 'conflict', sentence: 'This document is closed.' },
  document_expired: {
    status: 409,
    kind: 'conflict',
    sentence: 'This document has expired. Ask the sender to send it again.',
  },
  document_not_completed: {
    status: 409,
    kind: 'conflict',
    sentence: "The sealed document isn't ready yet. It's available once everyone has signed.",
  },
  last_file: { status: 409, kind: 'conflict', sentence: "A document's last file can't be removed." },
  recipient_settled: {
    status: 409,
    kind: 'conflict',
    sentence: 'This recipient has already signed, declined or been replaced.',
  },
  recipient_not_notified: {
    status: 409,
    kind: 'conflict',
    sentence: "It isn't this recipient's turn yet. They get a link when it is.",
  },
  seal_not_failed: { status: 409, kind: 'conflict', sentence: "Sealing this document hasn't failed." },
  mail_limit_reached: {
    status: 429,
    kind: 'limit',
    sentence: 'Too many emails to recipients. Try again later.',
  },
  recipient_refuses_mail: {
    status: 409,
    kind: 'conflict',
    sentence: "This person doesn't want emails from you. Copy the link for them, or choose somebody else.",
  },
  otp_required: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Enter the code that we email to you before you open this document.',
  },
  otp_not_needed: { status: 409, kind: 'conflict', sentence: "This document doesn't ask for a code." },
  otp_locked: {
    status: 409,
    kind: 'conflict',
    sentence: 'Too many wrong codes. Ask the sender for a new link.',
  },
  consent_required: {
    status: 409,
    kind: 'conflict',
    sentence: 'Agree to sign electronically first.',
  },
  fields_missing: { status: 422, kind: 'invalid', sentence: 'Some fields still need to be filled in.' },
  not_your_turn: {
    status: 409,
    kind: 'conflict',
    sentence: "It isn't your turn yet. We'll email you when it is.",
  },
  already_signed: { status: 409, kind: 'conflict', sentence: 'You have already signed this document.' },
  nothing_to_sign: { status: 409, kind: 'conflict', sentence: 'You can view this document, but not sign it.' },
  delegation_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "The sender doesn't allow someone else to sign for you.",
  },
} as const satisfies Record<string, ErrorEntry>
