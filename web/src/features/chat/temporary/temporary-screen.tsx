/** A temporary chat: nothing of it is stored, and it is gone when the page is left. */
import type { ChatOptions, Message } from '@chancery/contract/chats/chats.ts'
import { useBlocker } from '@tanstack/react-router'
import { MessageSquareDashed } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Composer, type ComposerHandle } from '../composer/composer.tsx'
import { useModelChoice } from '../composer/use-model-choice.ts'
import { isPending } from '../history/parts.ts'
import { useDefaults } from '../options/api.ts'
import { OptionsButton } from '../options/options-button.tsx'
import { DeleteMessage } from '../thread/delete-message.tsx'
import { preloadMarkdown } from '../thread/reply-text.tsx'
import { Thread } from '../thread/thread.tsx'
import { type ThreadActions, ThreadContext } from '../thread/thread-context.ts'
import { noTools } from '../tools/chat-tools.ts'
import { ToolPicker } from '../tools/tool-picker.tsx'
import { useChatKeys } from '../use-chat-keys.ts'
import { useTemporaryChat } from './use-temporary-chat.ts'

interface TemporaryScreenProps {
  /** The models to start with. */
  wish: readonly string[]
  onNew: () => void
}

export function TemporaryScreen({ wish, onNew }: TemporaryScreenProps) {
  const [chosen, setChosen] = useState(wish)
  const models = useModelChoice(chosen)
  const defaults = useDefaults()
  const [ownOptions, setOptions] = useState<ChatOptions>()
  const options = ownOptions ?? defaults
  const [tools, setTools] = useState(noTools)
  const chat = useTemporaryChat({ options, tools })
  const [editingId, setEditingId] = useState<string>()
  const [deleting, setDeleting] = useState<Message>()
  const [jump, setJump] = useState(0)
  const composer = useRef<ComposerHandle>(null)
  const messages = Object.values(chat.history.messages)
  const isBusy = messages.some(isPending)
  const actions = useMemo((): ThreadActions => {
    const send: ThreadActions['send'] = (content, wanted, files) => {
      preloadMarkdown()
      setJump((count) => count + 1)
      return chat.send(content, wanted, files)
    }
    return { ...chat, send, models, editingId, onEdit: setEditingId, onDelete: setDeleting, isBusy }
  }, [chat, models, editingId, isBusy])
  useChatKeys({
    onNew,
    onWrite: useMemo(() => () => composer.current?.focus(), []),
    onStop: isBusy ? chat.stop : undefined,
  })
  const isEmpty = messages.length === 0
  return (
    <ThreadContext value={actions}>
      <PageTitle>Temporary chat</PageTitle>
      {isEmpty ? <Explanation /> : <Thread history={chat.history} jump={jump} />}
      <DeleteMessage message={deleting} onDelete={chat.remove} onClose={() => setDeleting(undefined)} />
      <div className="mx-auto w-full max-w-[40rem] px-4 pb-4 sm:px-6">
        {!isEmpty && (
          <div className="mb-2 flex items-center justify-center gap-2 text-faint text-sm">
            <MessageSquareDashed aria-hidden className="size-4" />
            <h1>Temporary chat</h1>
            <p>It isn’t saved.</p>
          </div>
        )}
        <Composer
          ref={composer}
          chatId={undefined}
          models={models}
          onModels={setChosen}
          onSend={(text, files) => actions.send(text, models, files)}
          isRunning={isBusy}
          onStop={chat.stop}
          tools={
            <>
              <ToolPicker tools={tools} onChange={setTools} />
              <OptionsButton options={options} onSave={async (next) => setOptions(next)} />
            </>
          }
        />
      </div>
      {isEmpty && <div className="flex-[1.4]" />}
      <LeaveGuard isOn={!isEmpty} />
    </ThreadContext>
  )
}

const Explanation = () => (
  <div className="flex flex-1 flex-col items-center justify-end px-6 pb-6 text-center">
    <MessageSquareDashed aria-hidden className="mb-3 size-10 text-faint" />
    <h1 className="font-medium font-serif text-xl tracking-tight">Temporary chat</h1>
    <p className="mt-2 max-w-md text-soft">
      It isn’t saved, gets no title and isn’t in your search. It’s gone when you leave or reload this page. The model’s
      provider still receives your messages, and files that you attach stay in your files.
    </p>
  </div>
)

/** Asks before the conversation is lost: inside the app with a dialog, on reload with the browser's own question. */
function LeaveGuard({ isOn }: { isOn: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isOn && current.pathname !== next.pathname,
    enableBeforeUnload: () => isOn,
    withResolver: true,
  })
  return (
    <Confirm
      title="Leave this temporary chat?"
      loss="It isn’t saved anywhere. If you leave, it can’t be restored."
      action="Leave"
      isOpen={status === 'blocked'}
      isPending={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    />
  )
}
