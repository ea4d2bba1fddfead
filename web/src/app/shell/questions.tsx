/**
 * Questions of plugins, on every page once a chat was open in this tab: its replies go on when the person leaves it. Before
 * that nothing can ask, and no socket is opened.
 */
import { lazy, Suspense, useSyncExternalStore } from 'react'

const QuestionDialogs = lazy(async () => ({
  default: (await import('#features/chat/questions/question-dialogs.tsx')).QuestionDialogs,
}))

let isListening = false
const watchers = new Set<() => void>()

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function listenForQuestions() {
  if (isListening) return
  isListening = true
  for (const watcher of watchers) watcher()
}

export function Questions() {
  const isOn = useSyncExternalStore(watch, () => isListening)
  return <Suspense>{isOn && <QuestionDialogs />}</Suspense>
}
