/** A new chat: a greeting, suggestions, and the composer. */
import type { ChatOptions } from '@chancery/contract/chats/chats.ts'
import { guideId } from '@chancery/contract/models/models.ts'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useModels } from '#data/models.ts'
import { usePerson } from '#data/viewer.ts'
import { greetingAt } from '#lib/time/times.ts'
import { Guilloche } from '#ui/brand/guilloche.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { useCollectionName } from './api.ts'
import type { MessageFile } from './attachments/message-files.ts'
import { Composer, type ComposerHandle } from './composer/composer.tsx'
import { useKeepModels, useModelChoice } from './composer/use-model-choice.ts'
import type { ChosenModel, Turn } from './history/turns.ts'
import { withTurn } from './history/turns.ts'
import { useDefaults } from './options/api.ts'
import { OptionsButton } from './options/options-button.tsx'
import { preloadMarkdown } from './thread/reply-text.tsx'
import { Thread } from './thread/thread.tsx'
import { noTools } from './tools/chat-tools.ts'
import { ToolPicker } from './tools/tool-picker.tsx'
import { useChatKeys } from './use-chat-keys.ts'
import { firstTurn, useStartChat } from './use-conversation.ts'
import { handOverVoice, VoiceMode } from './voice/voice-mode.tsx'

interface NewChatScreenProps {
  /** From the URL. */
  wish: readonly string[]
  onModels: (ids: readonly string[]) => void
  /** The collection to ask about, from the URL. */
  about: string | undefined
  onBegun: (chatId: string) => void
  onNew: () => void
}

export function NewChatScreen({ wish, onModels, about, onBegun, onNew }: NewChatScreenProps) {
  const models = useModelChoice(wish)
  const list = useModels()
  const start = useStartChat(onBegun)
  const composer = useRef<ComposerHandle>(null)
  const defaults = useDefaults()
  const [chosen, setChosen] = useState<ChatOptions>()
  const options = chosen ?? defaults
  const [tools, setTools] = useState(noTools)
  useChatKeys({ onNew, onWrite: useMemo(() => () => composer.current?.focus(), []) })

  useAbout(about, composer)

  const send = (content: string, files: readonly MessageFile[]) => {
    preloadMarkdown()
    return start.mutateAsync({ turn: firstTurn(content, models, files), models, options, tools }).then(
      () => true,
      () => false,
    )
  }
  const say = async (text: string) => {
    handOverVoice(true)
    const isSent = await send(text, [])
    if (!isSent) handOverVoice(false)
    return isSent
  }
  const isStarting = start.isPending
  return (
    <>
      <PageTitle>New chat</PageTitle>
      {isStarting ? <Beginning turn={start.variables.turn} /> : <div className="flex-1" />}
      <div className="mx-auto w-full max-w-[40rem] px-4 pb-4 sm:px-6">
        {!isStarting && <Greeting />}
        {list.isError && <ErrorPanel error={list.error} onRetry={list.refetch} />}
        <Composer
          ref={composer}
          chatId="new"
          models={models}
          onModels={useKeepModels(onModels)}
          onSend={send}
          isRunning={isStarting}
          onStop={onNew}
          tools={
            <>
              <ToolPicker tools={tools} onChange={setTools} />
              <OptionsButton options={options} onSave={async (next) => setChosen(next)} />
              <VoiceMode last={undefined} onSay={say} onStop={() => undefined} />
            </>
          }
        />
        {!isStarting && <Beginnings models={models} onTake={(text) => composer.current?.fill(text)} />}
      </div>
      {!isStarting && <div className="flex-[1.4]" />}
    </>
  )
}

/** Attaches the collection that the link named, once its name is known. */
function useAbout(id: string | undefined, composer: RefObject<ComposerHandle | null>) {
  const { data: name } = useCollectionName(id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link, not for each render of the composer
  useEffect(() => {
    if (id !== undefined && name !== undefined) composer.current?.refer({ type: 'collection', id, name })
  }, [id, name])
}

/** The sent message, shown before the server has answered. */
const Beginning = ({ turn }: { turn: Turn }) => (
  <Thread history={useMemo(() => withTurn({ currentId: null, messages: {} }, turn), [turn])} />
)

function Greeting() {
  const { name } = usePerson()
  return (
    <header className="mb-6 flex flex-col items-center text-center">
      <Guilloche shape="medal" className="mb-4 size-16 text-rule max-sm:size-12" />
      <h1 className="text-balance font-medium font-serif text-xl tracking-tight">
        {greetingAt(new Date())}, {name.split(' ')[0]}
      </h1>
    </header>
  )
}

const forGuide = [
  'What can I do here?',
  'How do I connect a model?',
  'How do I invite a colleague?',
  'How do I create an API key?',
]
const forModels = [
  'Draft a short, polite reminder of an unpaid invoice',
  'Explain this clause in plain words:',
  'Turn these notes into minutes with decisions and owners:',
  'What should I ask before I sign a lease?',
]

function Beginnings({ models, onTake }: { models: readonly ChosenModel[]; onTake: (text: string) => void }) {
  const isGuide = models.length === 1 && models[0]?.id === guideId
  return (
    <div className="mt-5">
      <ul aria-label="Suggestions" className="grid gap-2 sm:grid-cols-2">
        {(isGuide ? forGuide : forModels).map((text) => (
          <li key={text} className="flex">
            <button
              type="button"
              onClick={() => onTake(text)}
              className="flex-1 rounded-panel border bg-surface px-4 py-2.5 text-left text-soft transition-colors duration-150 hover:bg-sunken hover:text-ink"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
      {isGuide && (
        <p className="mt-4 text-center text-faint text-sm">
          The guide isn’t a language model. It answers questions about Chancery from its documentation.
        </p>
      )}
    </div>
  )
}
