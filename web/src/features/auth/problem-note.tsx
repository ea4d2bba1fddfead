/** Why signing in with another provider failed. */
import { useProblemSentence } from './api.ts'

export function ProblemNote({ code }: { code: string | undefined }) {
  const { data: sentence } = useProblemSentence(code)
  if (!sentence) return null
  return (
    <p role="alert" className="mb-5 rounded-control border border-bad/30 bg-bad-wash px-3 py-2 text-bad text-sm">
      {sentence}
    </p>
  )
}
