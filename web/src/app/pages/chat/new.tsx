/** A new chat. The models it uses are in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { NewChatScreen } from '#features/chat/new-chat-screen.tsx'

const route = getRouteApi('/shell/chat/')

export function NewChatPage() {
  const { models, about } = route.useSearch()
  const navigate = route.useNavigate()
  const onModels = useCallback(
    (ids: readonly string[]) => void navigate({ search: (now) => ({ ...now, models: ids.join(',') }), replace: true }),
    [navigate],
  )
  const onBegun = useCallback(
    (chatId: string) => void navigate({ to: '/chat/$chatId', params: { chatId }, search: {} }),
    [navigate],
  )
  const onNew = useCallback(() => void navigate({ to: '/chat', search: {} }), [navigate])
  const wish = useMemo(() => models?.split(',') ?? [], [models])
  return <NewChatScreen wish={wish} about={about} onModels={onModels} onBegun={onBegun} onNew={onNew} />
}
