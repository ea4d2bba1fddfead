/** A conversation: its thread and the composer. */
import type { Chat, Message } from '@chancery/contract/chats/chats.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { useChat } from './api.ts'
import { Composer, type ComposerHandle } from './composer/composer.tsx'
import { useKeepModels, useModelChoice } from './composer/use-model-choice.ts'
import { isPending } from './history/parts.ts'
import { continuesFrom } from './history/rows.ts'
import { threadOf } from './history/tree.ts'
import { useEarlier } from './live/use-earlier.ts'
import { useLiveChat } from './live/use-live-chat.ts'
import { optionsOf } from './options/chat-options.ts'
import { OptionsButton } from './options/options-button.tsx'
import { DeleteMessage } from './thread/delete-message.tsx'
import { preloadMarkdown } from './thread/reply-text.tsx'
import { Thread } from './thread/thread.tsx'
import { type ThreadActions, ThreadContext } from './thread/thread-context.ts'
import { chatToolsOf } from './tools/chat-tools.ts'
import { ToolPicker } from './tools/tool-picker.tsx'
import { useChatKeys } from './use-chat-keys.ts'
import { useConversation } from './use-conversation.ts'
import { VoiceMode } from './voice/voice-mode.tsx'

interface ConversationScreenProps {
  chatId: string
  onNew: () => void
}

const isUnknown = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 422)

export function ConversationScreen({ chatId, onNew }: ConversationScreenProps) {
  const chat = useChat(chatId)
  useLiveChat(chatId, chat.data)
  useEffect(preloadMarkdown, [])
  if (chat.data) return <Conversation key={chatId} chat={chat.data} onNew={onNew} />
  if (chat.isPending) return <ThreadSkeleton />
  return (
    <div className="flex flex-1 flex-col justify-center p-6">
      <PageTitle>Chat</PageTitle>
      {isUnknown(chat.error) ? (
        <Empty title="Chat not found" hint="It may have been deleted, or it belongs to someone else." />
      ) : (
        <ErrorPanel error={chat.error} onRetry={chat.refetch} />
      )}
    </div>
  )
}

function Conversation({ chat, onNew }: { chat: Chat; onNew: () => void }) {
  const { history } = chat.chat
  const conversation = useConversation(chat.id)
  const [chosen, setChosen] = useState<readonly string[]>(chat.chat.models)
  const models = useModelChoice(chosen)
  const onModels = useKeepModels(setChosen)
  const [editingId, setEditingId] = useState<string>()
  const [deleting, setDeleting] = useState<Message>()
  const [jump, setJump] = useState(0)
  const composer = useRef<ComposerHandle>(null)
  const onEarlier = useEarlier(chat)
  const thread = useMemo(() => threadOf(history, continuesFrom(history)), [history])
  const isBusy = useMemo(() => Object.values(history.messages).some(isPending), [history.messages])

  const actions = useMemo((): ThreadActions => {
    const jumping =
      <RunInput extends unknown[]>(action: (...given: RunInput) => Promise<boolean>) =>
      (...given: RunInput) => {
        setJump((count) => count + 1)
        return action(...given)
      }
    return {
      ...conversation,
      send: jumping(conversation.send),
      edit: jumping(conversation.edit),
      models,
      editingId,
      onEdit: setEditingId,
      onDelete: setDeleting,
      isBusy,
    }
  }, [conversation, models, editingId, isBusy])

  useChatKeys({
    onNew,
    onWrite: useMemo(() => () => composer.current?.focus(), []),
    onStop: isBusy ? conversation.stop : undefined,
  })
  const last = thread.findLast(({ role }) => role === 'user')
  return (
    <ThreadContext value={actions}>
      <PageTitle>{chat.title}</PageTitle>
      <Thread history={history} jump={jump} onEarlier={onEarlier} />
      <DeleteMessage message={deleting} onDelete={conversation.remove} onClose={() => setDeleting(undefined)} />
      <div className="mx-auto w-full max-w-[40rem] px-4 pb-4 sm:px-6">
        <Composer
          ref={composer}
          chatId={chat.id}
          models={models}
          onModels={onModels}
          onSend={(text, files) => actions.send(text, models, files)}
          isRunning={isBusy}
          onStop={conversation.stop}
          tools={
            <>
              <ToolPicker tools={chatToolsOf(chat.chat.params)} onChange={conversation.saveTools} />
              <OptionsButton options={optionsOf(chat.chat.params)} onSave={conversation.saveOptions} />
              <VoiceMode last={thread.at(-1)} onSay={(text) => actions.send(text, models)} onStop={conversation.stop} />
            </>
          }
          {...(last && !isBusy && { onEditLast: () => setEditingId(last.id) })}
        />
      </div>
    </ThreadContext>
  )
}

/** The shape of a question and its answer. */
const ThreadSkeleton = () => (
  <div className="mx-auto w-full max-w-[40rem] flex-1 px-4 pt-6 sm:px-6">
    <PageTitle>Chat</PageTitle>
    <Loading label="Loading chat">
      <Skeleton className="ml-auto h-11 w-2/3 rounded-panel" />
      <Skeleton className="mt-10 h-3.5 w-24" />
      <Skeleton className="mt-4 h-3.5 w-full" />
      <Skeleton className="mt-3 h-3.5 w-11/12" />
      <Skeleton className="mt-3 h-3.5 w-3/5" />
    </Loading>
  </div>
)
