/** Another reply to the same question, by another model. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { ChevronDown } from 'lucide-react'
import { useModels } from '#data/models.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { useThread } from './thread-context.ts'

export function RegenerateMenu({ message }: { message: Message }) {
  const thread = useThread()
  const { data: models = [] } = useModels()
  const others = models.filter(({ id }) => id !== message.model)
  if (!thread || others.length === 0) return null
  const trigger = (
    <IconButton label="Regenerate with another model" icon={ChevronDown} isTiny disabled={thread.isBusy} />
  )
  return (
    <span className="relative">
      <Menu trigger={trigger} align="start">
        {others.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => thread.regenerate(message, { id, name })}>
            <span className="truncate">{name}</span>
          </MenuItem>
        ))}
      </Menu>
    </span>
  )
}
