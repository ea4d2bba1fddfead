/** Actions of plugins that can be run on a reply. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { useActions } from '../tools/api.ts'
import { useThread } from './thread-context.ts'

export function ActionButtons({ message }: { message: Message }) {
  const actions = useActions()
  const thread = useThread()
  if (actions.length === 0 || !thread?.runAction) return null
  return (
    <ul aria-label="Actions" className="ml-1 flex flex-wrap gap-1.5">
      {actions.map(({ id, name, description }) => (
        <li key={id}>
          <ActionButton id={id} name={name} description={description} message={message} />
        </li>
      ))}
    </ul>
  )
}

interface ActionButtonProps {
  id: string
  name: string
  description: string
  message: Message
}

function ActionButton({ id, name, description, message }: ActionButtonProps) {
  const thread = useThread()
  const [isPending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    await thread?.runAction?.(message, id)
    setPending(false)
  }
  return (
    <Button
      size="small"
      icon={Zap}
      isPending={isPending}
      disabled={thread?.isBusy === true}
      onClick={() => void run()}
      {...(description !== '' && { title: description })}
    >
      {name}
    </Button>
  )
}
