/** The actions for a finished reply. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { CornerDownRight, Pencil, RotateCw, Trash2 } from 'lucide-react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { failureOf, modelNameOf, tokensOf } from '../history/parts.ts'
import type { Column } from '../history/rows.ts'
import { ReadAloudButton } from '../voice/read-aloud-button.tsx'
import { ActionButtons } from './action-buttons.tsx'
import { BranchNav } from './branch-nav.tsx'
import { RateButtons } from './rate-buttons.tsx'
import { RegenerateMenu } from './regenerate-menu.tsx'
import { useThread } from './thread-context.ts'

/** Hidden until hover or focus; always visible on touch screens, which have no hover. */
export const revealOnHover =
  'flex items-center gap-0.5 transition-opacity duration-150 [@media(hover:hover)]:opacity-0 group-hover:opacity-100 group-focus-within:opacity-100'

/** The model that gave the reply, for another attempt. */
export const modelOf = (message: Message) => ({ id: String(message.model ?? ''), name: modelNameOf(message) })

const figures = new Intl.NumberFormat('en')
const formatTokens = (count: number) => `${figures.format(count)} ${count === 1 ? 'token' : 'tokens'}`

interface ReplyActionsProps {
  column: Column
  text: string
  /** The last reply always shows its buttons. */
  isLast: boolean
  isCompared: boolean
}

export function ReplyActions({ column: { message, siblings, isActive }, text, isLast, isCompared }: ReplyActionsProps) {
  const thread = useThread()
  const tokens = tokensOf(message)
  return (
    <div className="-ml-1.5 mt-auto flex min-h-6 flex-wrap items-center gap-0.5">
      {thread && <BranchNav message={message} siblings={siblings} onChoose={thread.choose} />}
      <span className={cx('flex-wrap', isLast ? 'flex items-center gap-0.5' : revealOnHover)}>
        {text !== '' && <CopyButton text={text} label="Copy reply" />}
        {text !== '' && thread && <ReadAloudButton id={message.id} text={text} />}
        {thread && message.parentId !== null && failureOf(message.error) === undefined && (
          <IconButton
            label="Regenerate"
            icon={RotateCw}
            isTiny
            disabled={thread.isBusy}
            onClick={() => thread.regenerate(message, modelOf(message))}
          />
        )}
        {thread && message.parentId !== null && <RegenerateMenu message={message} />}
        {text !== '' && <RateButtons message={message} />}
        {thread && <ChangeButtons message={message} />}
        {thread && text !== '' && <ActionButtons message={message} />}
        {tokens !== undefined && (
          <span className={cx(revealOnHover, 'figures px-1.5 text-faint text-xs')}>{formatTokens(tokens)}</span>
        )}
      </span>
      {thread && isCompared && !isActive && (
        <Button
          size="small"
          look="quiet"
          icon={CornerDownRight}
          className="ml-auto"
          onClick={() => thread.choose(message.id)}
        >
          Continue with this reply
        </Button>
      )}
      {isCompared && isActive && <span className="ml-auto text-faint text-xs">Selected</span>}
    </div>
  )
}

function ChangeButtons({ message }: { message: Message }) {
  const thread = useThread()
  if (!thread) return null
  return (
    <>
      {message.content !== '' && (
        <IconButton
          label="Edit reply"
          icon={Pencil}
          isTiny
          disabled={thread.isBusy}
          onClick={() => thread.onEdit(message.id)}
        />
      )}
      <IconButton
        label="Delete reply"
        icon={Trash2}
        isTiny
        disabled={thread.isBusy}
        onClick={() => thread.onDelete(message)}
      />
    </>
  )
}
