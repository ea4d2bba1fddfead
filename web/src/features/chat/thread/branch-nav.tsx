/** ‹ 2/3 ›: the other versions of a message. */
import type { Message } from '@chancery/contract/chats.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '#ui/button.tsx'

interface BranchNavProps {
  message: Message
  siblings: readonly Message[]
  onChoose: (messageId: string) => void
}

export function BranchNav({ message, siblings, onChoose }: BranchNavProps) {
  if (siblings.length < 2) return null
  const place = siblings.findIndex(({ id }) => id === message.id)
  const turn = (step: number) => () => {
    const next = siblings[place + step]
    if (next) onChoose(next.id)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields
    <span role="group" aria-label="Versions" className="figures flex items-center text-faint text-xs">
      <IconButton label="Previous version" icon={ChevronLeft} isTiny disabled={place <= 0} onClick={turn(-1)} />
      <span>
        {place + 1}/{siblings.length}
      </span>
      <IconButton
        label="Next version"
        icon={ChevronRight}
        isTiny
        disabled={place >= siblings.length - 1}
        onClick={turn(1)}
      />
    </span>
  )
}
