/**
 * Questions of plugins, on every page once a chat was open in this tab: its replies go on when the person leaves it. Before
 * that nothing can ask, and no socket is opened.
 */
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { createListeners } from '#lib/browser/listeners.ts'

const QuestionDialogs = lazy(async () => ({
  default: (await import('#features/chat/questions/question-dialogs.tsx')).QuestionDialogs,
}))

let isListening = false
const { subscribe, tell } = createListeners()

export function listenForQuestions() {
  if (isListening) return
  isListening = true
  tell()
}

export function Questions() {
  const isOn = useSyncExternalStore(subscribe, () => isListening)
  return <Suspense>{isOn && <QuestionDialogs />}</Suspense>
}
