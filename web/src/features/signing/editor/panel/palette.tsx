/** Field types to drag onto a page. A click places one in the middle of the page that is on screen. */
import type { FieldType } from '@chancery/contract/signing/signing.ts'
import {
  AtSign,
  Calendar,
  CircleDot,
  Hash,
  type LucideIcon,
  PenLine,
  Signature,
  SquareCheck,
  SquareChevronDown,
  Type,
  UserRound,
} from 'lucide-react'
import { fieldLabels } from '../../documents/labels.tsx'
import { dragType } from '../pages/editor-page.tsx'

const items: readonly { type: FieldType; icon: LucideIcon }[] = [
  { type: 'SIGNATURE', icon: Signature },
  { type: 'INITIALS', icon: PenLine },
  { type: 'NAME', icon: UserRound },
  { type: 'DATE', icon: Calendar },
  { type: 'TEXT', icon: Type },
  { type: 'EMAIL', icon: AtSign },
  { type: 'NUMBER', icon: Hash },
  { type: 'CHECKBOX', icon: SquareCheck },
  { type: 'RADIO', icon: CircleDot },
  { type: 'DROPDOWN', icon: SquareChevronDown },
]

interface PaletteProps {
  colour: string
  isOff: boolean
  onAdd: (type: FieldType) => void
}

export function Palette({ colour, isOff, onAdd }: PaletteProps) {
  return (
    <ul aria-label="Field types" className="grid grid-cols-2 gap-2">
      {items.map(({ type, icon: Icon }) => (
        <li key={type}>
          <button
            type="button"
            draggable={!isOff}
            disabled={isOff}
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData(dragType, type)
              dataTransfer.effectAllowed = 'copy'
            }}
            onClick={() => onAdd(type)}
            className="flex h-9 w-full cursor-grab items-center gap-2 rounded-control border bg-surface px-2.5 text-sm hover:bg-sunken disabled:cursor-not-allowed disabled:opacity-50"
          >
            <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
            <Icon aria-hidden className="size-4 shrink-0 text-soft" />
            <span className="truncate">{fieldLabels[type]}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
