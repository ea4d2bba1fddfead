/** The prompts that match what is typed after a slash. */
import { type Prompt, PromptList } from '@chancery/contract/prompts.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { ComposerMenu, useComposerMenu } from '../composer/composer-menu.tsx'
import { commandIn, findPrompts } from './find-prompts.ts'

export function usePromptMenu(text: string, onTake: (prompt: Prompt) => void) {
  const command = commandIn(text)
  const { data } = useQuery({
    queryKey: ['prompts'],
    queryFn: () => api.get('/api/v1/prompts', PromptList),
    enabled: command !== undefined,
  })
  return useComposerMenu({ text, items: findPrompts(data?.items ?? [], command), onTake })
}

export const PromptMenu = ({ menu }: { menu: ReturnType<typeof usePromptMenu> }) => (
  <ComposerMenu label="Prompts" menu={menu}>
    {({ command, content, is_own }) => (
      <>
        <span className="shrink-0 font-mono text-sm">/{command}</span>
        <span className="min-w-0 flex-1 truncate text-soft text-sm">{content}</span>
        {!is_own && <span className="shrink-0 text-faint text-xs">Shared</span>}
      </>
    )}
  </ComposerMenu>
)
