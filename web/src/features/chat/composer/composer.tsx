/**
 * The message composer. Enter sends, Shift+Enter adds a line, Escape stops the reply, ↑ edits the last message, / at
 * the start inserts a prompt.
 */

import type { Prompt } from '@chancery/contract/prompts.ts'
import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useId, useImperativeHandle, useRef } from 'react'
import { flushSync } from 'react-dom'
import { cx } from '#ui/class-names.ts'
import type { ChosenModel } from '../history/turns.ts'
import { firstVariable } from '../prompts/find-prompts.ts'
import { PromptMenu, promptOptionId } from '../prompts/prompt-menu.tsx'
import { usePromptMenu } from '../prompts/use-prompt-menu.ts'
import { GrowingText } from './growing-text.tsx'
import { ModelPicker } from './model-picker.tsx'
import { useDraft } from './use-draft.ts'

export interface ComposerHandle {
  focus: () => void
  fill: (text: string) => void
}

interface ComposerProps {
  /** The key of the stored draft; `new` for a new chat. */
  chatId: string
  models: readonly ChosenModel[]
  onModels: (ids: readonly string[]) => void
  /** Returns whether it was sent. */
  onSend: (text: string) => Promise<boolean>
  isRunning: boolean
  onStop: () => void
  onEditLast?: () => void
  /** Beside the model picker. */
  tools?: ReactNode
  ref?: Ref<ComposerHandle>
}

/** Not on a phone: focusing would open the keyboard over the conversation. */
const hasKeyboard = matchMedia('(pointer: fine)').matches

export function Composer({
  chatId,
  models,
  onModels,
  onSend,
  isRunning,
  onStop,
  onEditLast,
  tools,
  ref,
}: ComposerProps) {
  const [text, setText] = useDraft(chatId)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const insert = ({ content }: Prompt) => {
    // The selection needs the text to be in the field.
    flushSync(() => setText(content))
    field.current?.focus()
    field.current?.setSelectionRange(...firstVariable(content))
  }
  const prompts = usePromptMenu(text, insert)
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    fill: (next) => {
      setText(next)
      field.current?.focus()
    },
  }))
  const canSend = text.trim() !== '' && models.length > 0 && !isRunning
  const send = async () => {
    if (!canSend) return
    setText('')
    // If sending failed, the text is restored, unless something else was typed in the meantime.
    if (!(await onSend(text)) && field.current?.value === '') setText(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || prompts.onKeyDown(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape' && isRunning) {
      event.preventDefault()
      onStop()
    } else if (event.key === 'ArrowUp' && text === '' && onEditLast) {
      event.preventDefault()
      onEditLast()
    }
  }
  return (
    <div className="relative rounded-panel border border-b-rule bg-surface shadow-sheet transition-[border-color] duration-150 focus-within:border-rule">
      <PromptMenu id={listId} prompts={prompts.found} chosen={prompts.chosen} onTake={insert} />
      <div className="px-4 pt-3.5">
        <GrowingText
          ref={field}
          label="Message"
          placeholder="Write a message…"
          value={text}
          isFocused={hasKeyboard}
          onChange={setText}
          onKeyDown={onKeyDown}
          list={prompts.chosen && { id: listId, activeId: promptOptionId(listId, prompts.chosen.id) }}
        />
      </div>
      <div className="flex items-center justify-between gap-3 p-2">
        <div className="flex min-w-0 items-center gap-1">
          <ModelPicker models={models} onModels={onModels} onClosed={() => field.current?.focus()} />
          {tools}
        </div>
        {isRunning ? (
          <RoundButton label="Stop reply" onClick={onStop}>
            <Square aria-hidden className="size-3.5 fill-current" />
          </RoundButton>
        ) : (
          <RoundButton label="Send" isPrimary isOff={!canSend} onClick={() => void send()}>
            <ArrowUp aria-hidden className="size-4.5" />
          </RoundButton>
        )}
      </div>
    </div>
  )
}

interface RoundButtonProps {
  label: string
  isPrimary?: boolean
  isOff?: boolean
  onClick: () => void
  children: ReactNode
}

/** Never disabled, so it keeps the focus while a reply is running. */
const RoundButton = ({ label, isPrimary = false, isOff = false, onClick, children }: RoundButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    aria-disabled={isOff || undefined}
    onClick={onClick}
    className={cx(
      'flex size-9 shrink-0 items-center justify-center rounded-full transition-colors duration-150',
      isPrimary && !isOff && 'bg-seal text-on-seal hover:bg-seal-deep',
      isPrimary && isOff && 'bg-sunken text-faint',
      !isPrimary && 'border bg-ink text-ground hover:opacity-85',
    )}
  >
    {children}
  </button>
)
