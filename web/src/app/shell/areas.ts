/** The areas of the app, in the order of the rail. */
import { BookOpenText, FileSignature, type LucideIcon, MessageSquareText, Radio, Workflow } from 'lucide-react'
import type { Viewer } from '#data/viewer.ts'

export interface Area {
  to: '/chat' | '/documents' | '/workflows' | '/knowledge' | '/events'
  label: string
  /** The second key of `g …`. */
  goKey: string
  icon: LucideIcon
  purpose: string
}

export const areas: readonly Area[] = [
  {
    to: '/chat',
    label: 'Chat',
    goKey: 'c',
    icon: MessageSquareText,
    purpose: 'Chat with any connected model and keep every branch of the conversation.',
  },
  {
    to: '/documents',
    label: 'Documents',
    goKey: 'd',
    icon: FileSignature,
    purpose: 'Send documents for signature and get them back sealed, with a full audit trail.',
  },
  {
    to: '/workflows',
    label: 'Workflows',
    goKey: 'w',
    icon: Workflow,
    purpose: 'Automate work with agents, tools and approvals, and see every step.',
  },
  {
    to: '/knowledge',
    label: 'Knowledge',
    goKey: 'k',
    icon: BookOpenText,
    purpose: 'Collections of files that chats and agents can read and cite.',
  },
  {
    to: '/events',
    label: 'Events',
    goKey: 'e',
    icon: Radio,
    purpose: 'A live log of what happened and which workflows ran.',
  },
]

/** Platform admins have no account, so these areas don't open for them. */
export const areasOf = (viewer: Viewer): readonly Area[] => (viewer.kind === 'person' ? areas : [])
