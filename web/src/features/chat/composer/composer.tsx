/**
 * The message composer. Enter sends, Shift+Enter adds a line, Escape stops the reply, ↑ edits the last message, / at
 * the start inserts a prompt, # refers to a file, a collection or a resource of an MCP server. Files can be chosen, pasted and dropped.
 */
import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import { flushSync } from 'react-dom'
import { droppedFiles, pickedFiles } from '#lib/browser/dropped-files.ts'
import { IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { toast } from '#ui/feedback/toast.ts'
import { DropZone } from '#ui/form/drop-zone.tsx'
import { FilePicker } from '#ui/form/file-picker.tsx'
import { AttachedChips } from '../attachments/attached-chips.tsx'
import { withoutMention } from '../attachments/mention.ts'
import { MentionMenu, useMentionMenu } from '../attachments/mention-menu.tsx'
import type { MessageFile } from '../attachments/message-files.ts'
import { isReady, toMessageFiles, useAttachments } from '../attachments/use-attachments.ts'
import type { ChosenModel } from '../history/turns.ts'
import { readResource } from '../prompts/api.ts'
import { firstVariable } from '../prompts/find-prompts.ts'
import { PromptMenu, usePromptMenu } from '../prompts/prompt-menu.tsx'
import type { fieldKeyLabels } from '../use-chat-keys.ts'
import { DictationButton } from '../voice/dictation-button.tsx'
import { BlindNote } from './blind-note.tsx'
import { GrowingText } from './growing-text.tsx'
import { ModelPicker } from './model-picker.tsx'
import { useDraft } from './use-draft.ts'
import { useWaitingSend } from './use-waiting-send.ts'

export interface ComposerHandle {
  focus: () => void
  fill: (text: string) => void
  refer: (file: MessageFile) => void
}

interface ComposerProps {
  /** The key of the stored draft; `new` for a new chat, undefined where it isn't stored. */
  chatId: string | undefined
  models: readonly ChosenModel[]
  onModels: (ids: readonly string[]) => void
  /** Returns whether it was sent. */
  onSend: (text: string, files: readonly MessageFile[]) => Promise<boolean>
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
  const insert = (content: string) => {
    // The selection needs the text to be in the field.
    flushSync(() => setText(content))
    field.current?.focus()
    field.current?.setSelectionRange(...firstVariable(content))
  }
  const prompts = usePromptMenu(text, insert)
  const attachments = useAttachments(chatId)
  const mentions = useMentionMenu(text, ({ file, resource }) => {
    setText(withoutMention(text))
    if (resource) void readResource(resource).then(attachments.attach, toast.failed)
    else attachments.refer(file)
  })
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    fill: (next) => {
      setText(next)
      field.current?.focus()
    },
    refer: attachments.refer,
  }))
  const { items } = attachments
  const hasModel = models.length > 0
  const isComplete = text.trim() !== '' && !isRunning && items.every(isReady)
  const canSend = isComplete && hasModel
  const isReading =
    text.trim() !== '' && !isRunning && items.some(({ state }) => state === 'sending' || state === 'processing')
  const sendNow = async () => {
    const files = toMessageFiles(items)
    setText('')
    attachments.clear()
    if (await onSend(text, files)) return
    // If sending failed, the message is restored, unless something else was typed in the meantime.
    if (field.current?.value === '') setText(text)
    attachments.restore(files)
  }
  const { isWaiting, isLoading, wait } = useWaitingSend({ text, hasModel, items, canSend, send: sendNow })
  const send = () => {
    if (text.trim() === '' || isRunning) return
    if (canSend) void sendNow()
    else wait()
  }
  const addText = (said: string) => {
    const before = field.current?.value.trimEnd() ?? ''
    setText(before === '' ? said : `${before} ${said}`)
    field.current?.focus()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    attachments.attach(files)
  }
  const onDrop = (transfer: DataTransfer) => void droppedFiles(transfer).then(attachments.attach, toast.failed)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || prompts.onKeyDown(event) || mentions.onKeyDown(event)) return
    const keys: Record<keyof typeof fieldKeyLabels, (() => unknown) | false | undefined> = {
      Enter: send,
      // The browser adds the line.
      'shift+Enter': undefined,
      ArrowUp: text === '' && onEditLast,
      Escape: isRunning && onStop,
    }
    const run = new Map(Object.entries(keys)).get(event.shiftKey ? `shift+${event.key}` : event.key)
    if (!run) return
    event.preventDefault()
    run()
  }
  return (
    <DropZone
      label="New message"
      hint="Drop files to attach them"
      onFiles={onDrop}
      className="rounded-panel border border-b-rule bg-surface shadow-sheet transition-[border-color] duration-150 focus-within:border-rule"
    >
      <PromptMenu menu={prompts} />
      <MentionMenu menu={mentions} />
      <AttachedChips items={items} onRemove={attachments.remove} />
      {items.some(({ type }) => type === 'image') && <BlindNote models={models} />}
      <div className="px-4 pt-3.5">
        <GrowingText
          ref={field}
          label="Message"
          placeholder="Write a message…"
          value={text}
          isFocused={hasKeyboard}
          onChange={setText}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          list={prompts.list ?? mentions.list}
        />
      </div>
      <p role="status" className="px-4 text-faint text-sm">
        {isWaiting && `Sending as soon as the ${hasModel ? 'files are ready' : 'models are loaded'}…`}
      </p>
      <div className="flex items-center justify-between gap-3 p-2">
        <div className="flex min-w-0 items-center gap-1">
          <FilePicker label="Attached files" onPick={(files) => attachments.attach(pickedFiles(files))}>
            {(open) => <IconButton label="Attach files" icon={Paperclip} onClick={open} />}
          </FilePicker>
          <ModelPicker models={models} onModels={onModels} onClosed={() => field.current?.focus()} />
          {tools}
          <DictationButton onText={addText} />
        </div>
        {isRunning ? (
          <RoundButton label="Stop reply" onClick={onStop}>
            <Square aria-hidden className="size-3.5 fill-current" />
          </RoundButton>
        ) : (
          <RoundButton
            label="Send"
            isPrimary
            isOff={!canSend && !isReading && !(isComplete && isLoading)}
            onClick={send}
          >
            <ArrowUp aria-hidden className="size-4.5" />
          </RoundButton>
        )}
      </div>
    </DropZone>
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
