/** Sends a signing template and waits for everyone. */
import { PenLine } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const signature: NodeKind = {
  label: 'Signature',
  icon: PenLine,
  purpose: 'Sends a signing template, or a text as a document, and waits until everyone has signed.',
  idStem: 'sign',
  start: { template_id: '', recipients: [] },
  summary: ({ title }) => textOf(title),
  texts: () => ({ template: ['title', 'recipients', 'values', 'folder'] }),
  fields: {
    template_id: 'Template',
    markdown: 'Text',
    recipients: 'Recipients',
    title: 'Document title',
    values: 'Values',
    folder: 'Folder',
    expires_sec: 'Expires after',
  },
}
