/** The areas of the office, in the order of the rail, with what each will be once it has arrived. */
import { BookOpenText, FileSignature, type LucideIcon, MessageSquareText, Radio, Workflow } from 'lucide-react'

export interface Area {
  to: '/chat' | '/documents' | '/workflows' | '/knowledge' | '/events'
  label: string
  /** The second key of `g …`. */
  goKey: string
  icon: LucideIcon
  /** What one does there. */
  purpose: string
  /** Only of what is not here yet. */
  coming?: { arrivesWith: string; plans: readonly string[] }
}

export const areas: readonly Area[] = [
  {
    to: '/chat',
    label: 'Chat',
    goKey: 'c',
    icon: MessageSquareText,
    purpose: 'Talk with any model your office connects, and keep every branch of the conversation.',
  },
  {
    to: '/documents',
    label: 'Documents',
    goKey: 'd',
    icon: FileSignature,
    purpose: 'Send a document to be signed and get it back sealed, with its record of who did what.',
    coming: {
      arrivesWith: 'signing',
      plans: [
        'Signing by link, without an account',
        'A seal that any PDF reader can check',
        'An audit trail chained entry by entry',
      ],
    },
  },
  {
    to: '/workflows',
    label: 'Workflows',
    goKey: 'w',
    icon: Workflow,
    purpose: 'Let agents do the steps between an event and its result, and see each one.',
  },
  {
    to: '/knowledge',
    label: 'Knowledge',
    goKey: 'k',
    icon: BookOpenText,
    purpose: 'Collections of files that chats and agents may read and quote.',
    coming: {
      arrivesWith: 'files and retrieval',
      plans: ['Collections with their own readers', 'Search by words and by meaning', 'Answers that name their source'],
    },
  },
  {
    to: '/events',
    label: 'Events',
    goKey: 'e',
    icon: Radio,
    purpose: 'The live record of what happened, and which workflows answered.',
  },
]
