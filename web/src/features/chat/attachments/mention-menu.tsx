/** Files and collections that match what is typed after a hash. */
import { FileList } from '@chancery/contract/files.ts'
import { CollectionList } from '@chancery/contract/knowledge.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, withQuery } from '#lib/api.ts'
import { formatBytes } from '#lib/bytes.ts'
import { counted } from '#lib/counted.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { ComposerMenu, useComposerMenu } from '../composer/composer-menu.tsx'
import { fileIcons } from './attached-chips.tsx'
import { mentionIn } from './mention.ts'
import type { MessageFile } from './message-files.ts'

const few = 5

interface Found extends MessageFile {
  detail: string
}

async function find(search: string): Promise<Found[]> {
  const [collections, files] = await Promise.all([
    api.get(withQuery('/api/v1/knowledge/', { search, limit: few }), CollectionList),
    api.get(withQuery('/api/v1/files/', { search, status: 'completed', limit: few }), FileList),
  ])
  return [
    ...collections.items.map(({ id, name, file_count }) => ({
      type: 'collection' as const,
      id,
      name,
      detail: counted(file_count, 'file'),
    })),
    ...files.items.map(({ id, filename, meta }) => ({
      type: 'file' as const,
      id,
      name: filename,
      size: meta.size,
      detail: formatBytes(meta.size),
    })),
  ]
}

export function useMentionMenu(text: string, onTake: (file: MessageFile) => void) {
  const typed = mentionIn(text)
  const search = useDebounced(typed ?? '')
  const { data = [] } = useQuery({
    queryKey: ['mentions', search],
    queryFn: () => find(search),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
  })
  return useComposerMenu({ text, items: typed === undefined ? [] : data, onTake })
}

export const MentionMenu = ({ menu }: { menu: ReturnType<typeof useMentionMenu> }) => (
  <ComposerMenu label="Files and collections" menu={menu}>
    {({ type, name, detail }: Found) => {
      const Icon = fileIcons[type]
      return (
        <>
          <Icon aria-hidden className="size-4 shrink-0 self-center text-faint" />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="shrink-0 text-faint text-xs">{detail}</span>
        </>
      )
    }}
  </ComposerMenu>
)
