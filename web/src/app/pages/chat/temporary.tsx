/** A chat that isn't saved. Like a new chat, it can start with the models in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { TemporaryScreen } from '#features/chat/temporary/temporary-screen.tsx'

const route = getRouteApi('/shell/chat/temporary')

export function TemporaryChatPage() {
  const { models } = route.useSearch()
  const navigate = route.useNavigate()
  const onNew = useCallback(() => void navigate({ to: '/chat', search: {} }), [navigate])
  return <TemporaryScreen wish={models?.split(',') ?? []} onNew={onNew} />
}
