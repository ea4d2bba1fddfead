/** Names of states and roles on screens. */
import type {
  DocumentState,
  FieldType,
  RecipientRole,
  RecipientState,
  SigningLanguage,
} from '@chancery/contract/signing/signing.ts'
import { Badge, type Tone } from '#ui/values/badge.tsx'

export const documentLabels: Record<DocumentState, { label: string; tone: Tone }> = {
  DRAFT: { label: 'Draft', tone: 'plain' },
  SENT: { label: 'Waiting for signatures', tone: 'warn' },
  SEALING: { label: 'Sealing', tone: 'warn' },
  COMPLETED: { label: 'Completed', tone: 'good' },
  DECLINED: { label: 'Declined', tone: 'bad' },
  CANCELLED: { label: 'Cancelled', tone: 'plain' },
  EXPIRED: { label: 'Expired', tone: 'plain' },
  SEAL_FAILED: { label: 'Sealing failed', tone: 'bad' },
}

export const StateBadge = ({ state }: { state: DocumentState }) => (
  <Badge tone={documentLabels[state].tone}>{documentLabels[state].label}</Badge>
)

export const roleLabels: Record<RecipientRole, { label: string; hint: string }> = {
  SIGNER: { label: 'Signs', hint: 'Fills in fields and signs' },
  APPROVER: { label: 'Approves', hint: 'Approves before it goes on' },
  VIEWER: { label: 'Views', hint: 'Can read it while it is signed' },
  CC: { label: 'Receives a copy', hint: 'Gets the finished document' },
}

export const recipientLabels: Record<RecipientState, { label: string; tone: Tone }> = {
  PENDING: { label: 'Not their turn yet', tone: 'plain' },
  NOTIFIED: { label: 'Email sent', tone: 'plain' },
  OPENED: { label: 'Opened', tone: 'warn' },
  SIGNED: { label: 'Signed', tone: 'good' },
  DECLINED: { label: 'Declined', tone: 'bad' },
  EXPIRED: { label: 'Expired', tone: 'plain' },
  REPLACED: { label: 'Replaced', tone: 'plain' },
}

export const fieldLabels: Record<FieldType, string> = {
  SIGNATURE: 'Signature',
  INITIALS: 'Initials',
  NAME: 'Name',
  EMAIL: 'Email',
  DATE: 'Date',
  TEXT: 'Text',
  NUMBER: 'Number',
  CHECKBOX: 'Checkbox',
  RADIO: 'Choice',
  DROPDOWN: 'Dropdown',
}

export const languageLabels: Record<SigningLanguage, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
}

export const orders = [
  { value: 'PARALLEL', label: 'All at the same time' },
  { value: 'SEQUENTIAL', label: 'One after another' },
] as const

/** Shown if the server can't send email and the document asks for a code. */
export const codesStay = 'Codes can’t be emailed either: your platform admin can tell them to recipients.'
