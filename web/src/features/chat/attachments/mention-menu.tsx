/** Files, collections and resources of MCP servers that match what is typed after a hash. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatBytes } from '#lib/text/bytes.ts'
import { counted } from '#lib/text/counted.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { ComposerMenu, useComposerMenu } from '../composer-menu.tsx'
import { type OfferedResource, serverResourcesQuery } from '../prompts/api.ts'
import { findFiles } from './api.ts'
import { fileIcons } from './attached-chips.tsx'
import { mentionIn } from './mention.ts'
import type { MessageFile } from './message-files.ts'

const few = 5

interface Found {
  id: string
  detail: string
  file: MessageFile
  /** A resource of an MCP server: it is read and attached when it is chosen. */
  resource?: OfferedResource
}

async function find(search: string): Promise<Found[]> {
  const { collections, files } = await findFiles(search)
  return [
    ...collections.map(({ id, name, file_count }) => ({
      id,
      detail: counted(file_count, 'file'),
      file: { type: 'collection' as const, id, name },
    })),
    ...files.map(({ id, filename, meta }) => ({
      id,
      detail: formatBytes(meta.size),
      file: { type: 'file' as const, id, name: filename, size: meta.size },
    })),
  ]
}

const matching = (resources: readonly OfferedResource[], search: string): Found[] =>
  resources
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .slice(0, few)
    .map((resource) => {
      const id = `${resource.server_id} ${resource.uri}`
      return { id, detail: resource.server_name, file: { type: 'file', id, name: resource.name }, resource }
    })

export function useMentionMenu(text: string, onTake: (found: Found) => void) {
  const typed = mentionIn(text)
  const enabled = typed !== undefined
  const search = useDebounced(typed ?? '')
  const { data = [] } = useQuery({
    queryKey: ['mentions', search],
    queryFn: () => find(search),
    enabled,
    placeholderData: keepPreviousData,
  })
  const { data: resources = [] } = useQuery({ ...serverResourcesQuery, enabled })
  return useComposerMenu({ text, items: enabled ? [...data, ...matching(resources, search)] : [], onTake })
}

export const MentionMenu = ({ menu }: { menu: ReturnType<typeof useMentionMenu> }) => (
  <ComposerMenu label="Files and collections" menu={menu}>
    {({ file: { type, name }, detail }: Found) => {
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
