/** The prompts that match what is typed after a slash: one's own, shared ones, and those that MCP servers have prepared. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promptsQuery } from '#data/prompts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { ComposerMenu, useComposerMenu } from '../composer-menu.tsx'
import { fillPrompt, type OfferedPrompt, serverPromptsQuery } from './api.ts'
import { commandIn, findPrompts } from './find-prompts.ts'
import { PromptDialog } from './prompt-dialog.tsx'

interface Item {
  id: string
  command: string
  about: string
  /** The person who shares it, or the server that offers it; empty for one's own. */
  from: string
  /** A prompt of an MCP server: its text is requested when it is chosen. */
  offered?: OfferedPrompt
}

const offeredItem = (offered: OfferedPrompt): Item => ({
  id: `${offered.server_id} ${offered.name}`,
  command: offered.name.toLowerCase(),
  about: offered.description,
  from: offered.server_name,
  offered,
})

export function usePromptMenu(text: string, insert: (content: string) => void) {
  const command = commandIn(text)
  const enabled = command !== undefined
  const [asking, setAsking] = useState<OfferedPrompt>()
  const { data: own } = useQuery({ ...promptsQuery, enabled })
  const { data: offered = [] } = useQuery({ ...serverPromptsQuery, enabled })
  const items = [
    ...(own?.items ?? []).map(
      ({ id, command, content, is_own }): Item => ({ id, command, about: content, from: is_own ? '' : 'Shared' }),
    ),
    ...offered.map(offeredItem),
  ]
  const onTake = ({ about, offered: prompt }: Item) => {
    if (!prompt) insert(about)
    else if (prompt.arguments.length > 0) setAsking(prompt)
    else void fillPrompt(prompt, {}).then(insert, toast.failed)
  }
  const menu = useComposerMenu({ text, items: findPrompts(items, command), onTake })
  const dialog = asking && {
    prompt: asking,
    onClose: () => setAsking(undefined),
    onInsert: (content: string) => {
      setAsking(undefined)
      insert(content)
    },
  }
  return { ...menu, dialog }
}

export const PromptMenu = ({ menu }: { menu: ReturnType<typeof usePromptMenu> }) => (
  <>
    <ComposerMenu label="Prompts" menu={menu}>
      {({ command, about, from }) => (
        <>
          <span className="shrink-0 font-mono text-sm">/{command}</span>
          <span className="min-w-0 flex-1 truncate text-soft text-sm">{about}</span>
          {from !== '' && <span className="shrink-0 text-faint text-xs">{from}</span>}
        </>
      )}
    </ComposerMenu>
    {menu.dialog && <PromptDialog {...menu.dialog} />}
  </>
)
