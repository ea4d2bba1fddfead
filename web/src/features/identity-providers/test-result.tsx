/** How far the try of a provider came, and what it says of itself. */
import type { ProviderTest } from '@chancery/contract/organizations/identity-providers.ts'
import { StepsResult } from '#ui/feedback/steps-result.tsx'
import { Facts } from '#ui/page/layout.tsx'

const stepNames: Record<ProviderTest['steps'][number]['step'], string> = {
  discovery: 'Read the provider’s configuration',
  endpoints: 'Find its sign-in addresses',
  keys: 'Read its keys',
}

const mono = (text: string) => <span className="break-all font-mono text-sm">{text}</span>

export const TestResult = ({ result: { ok, steps, metadata } }: { result: ProviderTest }) => (
  <StepsResult
    isOk={ok}
    verdict={ok ? 'The provider answers. Sign in once to see that the client works.' : 'The test failed.'}
    steps={steps.map(({ step, ok: isOk, detail }) => ({ name: stepNames[step], isOk, detail }))}
  >
    {metadata && (
      <div className="mt-4">
        <Facts
          items={[
            { term: 'Issuer', value: mono(metadata.issuer) },
            { term: 'Authorization endpoint', value: mono(metadata.authorizationEndpoint) },
            { term: 'Token endpoint', value: mono(metadata.tokenEndpoint) },
            { term: 'Keys', value: metadata.keyAlgorithms.join(', ') || 'None' },
          ]}
        />
      </div>
    )}
  </StepsResult>
)
