/** Rates a reply as good or bad, with an optional reason that admins can read. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { ratingOf } from '../history/parts.ts'
import { useThread } from './thread-context.ts'

export function RateButtons({ message }: { message: Message }) {
  if (!useThread()?.rate) return null
  return (
    <>
      <RateButton message={message} isGood />
      <RateButton message={message} isGood={false} />
    </>
  )
}

function RateButton({ message, isGood }: { message: Message; isGood: boolean }) {
  const thread = useThread()
  const [isOpen, setOpen] = useState(false)
  const rating = ratingOf(message)
  const isChosen = rating?.isGood === isGood
  const rate = (reason: string) => void thread?.rate?.(message, { isGood, reason })
  const onOpenChange = (open: boolean) => {
    setOpen(open)
    // The verdict counts without a reason.
    if (open && !isChosen) rate('')
  }
  const trigger = (
    <IconButton
      label={isGood ? 'Good reply' : 'Bad reply'}
      icon={isGood ? ThumbsUp : ThumbsDown}
      isTiny
      aria-pressed={isChosen}
      className={isChosen ? 'text-seal [&_svg]:fill-current' : ''}
    />
  )
  return (
    <Popover
      label={isGood ? 'What was good?' : 'What was wrong?'}
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      side="top"
      className="w-80 max-w-[calc(100vw-1.5rem)] p-4"
    >
      <ReasonForm
        isGood={isGood}
        reason={isChosen ? rating.reason : ''}
        onSave={(reason) => {
          rate(reason)
          setOpen(false)
        }}
        onWithdraw={() => {
          void thread?.rate?.(message, undefined)
          setOpen(false)
        }}
      />
    </Popover>
  )
}

interface ReasonFormProps {
  isGood: boolean
  reason: string
  onSave: (reason: string) => void
  onWithdraw: () => void
}

function ReasonForm({ isGood, reason, onSave, onWithdraw }: ReasonFormProps) {
  const [text, setText] = useState(reason)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave(text.trim())
      }}
      className="flex flex-col gap-3"
    >
      <Field
        label={isGood ? 'What was good?' : 'What was wrong?'}
        name="reason"
        isOptional
        help="Admins see your rating, this reason and the model, but not the chat."
      >
        <TextArea rows={3} maxLength={2000} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="small" look="quiet" onClick={onWithdraw}>
          Remove rating
        </Button>
        <Button size="small" look="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  )
}
