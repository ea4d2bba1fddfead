/** A chat that isn't saved. */
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { TemporaryScreen } from '#features/chat/temporary/temporary-screen.tsx'

export function TemporaryChatPage() {
  const navigate = useNavigate()
  return <TemporaryScreen onNew={useCallback(() => void navigate({ to: '/chat', search: {} }), [navigate])} />
}
