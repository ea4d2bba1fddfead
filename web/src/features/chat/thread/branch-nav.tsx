/** ‹ 2/3 ›: the other versions of a message. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'

interface BranchNavProps {
  message: Message
  siblings: readonly Message[]
  onChoose: (messageId: string) => void
}

export function BranchNav({ message, siblings, onChoose }: BranchNavProps) {
  if (siblings.length < 2) return null
  const index = siblings.findIndex(({ id }) => id === message.id)
  const turn = (step: number) => () => {
    const next = siblings[index + step]
    if (next) onChoose(next.id)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields
    <span role="group" aria-label="Versions" className="figures flex items-center text-faint text-xs">
      <IconButton label="Previous version" icon={ChevronLeft} isTiny disabled={index <= 0} onClick={turn(-1)} />
      <span>
        {index + 1}/{siblings.length}
      </span>
      <IconButton
        label="Next version"
        icon={ChevronRight}
        isTiny
        disabled={index >= siblings.length - 1}
        onClick={turn(1)}
      />
    </span>
  )
}
