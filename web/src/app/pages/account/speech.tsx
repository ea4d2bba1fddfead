import { SpeechPanel } from '#features/speech/speech-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export const SpeechPage = () => (
  <>
    <PageTitle>Speech</PageTitle>
    <SpeechPanel />
  </>
)
