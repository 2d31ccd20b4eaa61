/** Regular expressions of the markers around a part of a reply. */
export interface Marker {
  readonly open: string
  readonly close: string
  /** Whether the chat template may end with the opening, so that replies have the closing alone. */
  readonly opensInPrompt?: true
  /** Whether the opening is an ordinary word, which counts only if the closing follows. */
  readonly ordinary?: true
}

const pair = (open: string, close: string): Marker => ({ open, close, opensInPrompt: true })

const tag = (name: string) => pair(`<${name}(?:\\s[^<>]*)?>`, `</${name}>`)

/** Reasoning markers with the models that use them; case-insensitive. */
export const reasoningMarkers: readonly Marker[] = [
  tag('think'), // DeepSeek R1 and V3, Qwen 3, QwQ, GLM 4.5, MiniMax, Nemotron, Phi 4, Hunyuan, Ernie 4.5, Granite 3.3
  tag('thinking'), // Reflection, Hermes 3, prompts for Claude
  tag('thoughts?'), // EXAONE Deep, Gemini, Marco-o1
  tag('reason(?:ing)?'), // Reka Flash 3, Hermes 3
  tag('reflection'), // Reflection, Hermes 3
  tag('(?:scratchpad|inner_monologue)'), // Hermes 3
  tag('analysis'), // Keye-VL
  tag('seed:think'), // Seed-OSS
  tag('longcat_think'), // LongCat-Flash-Thinking
  tag('think:opensource'), // Hunyuan
  tag('think_fast(?:er)?'), // K2-V2
  pair('\\[THINK\\]', '\\[/THINK\\]'), // Magistral
  pair('◁think▷', '◁/think▷'), // Kimi-VL
  pair('<\\|START_THINKING\\|>', '<\\|END_THINKING\\|>'), // Cohere Command A and R7B
  pair('<\\|begin_of_thought\\|>', '<\\|end_of_thought\\|>'), // OpenThinker, Sky-T1, Bespoke-Stratos
  pair('<\\|inner_prefix\\|>', '<\\|inner_suffix\\|>'), // Apertus
  pair('<unused94>', '<unused95>'), // MedGemma 1.5
  pair('<\\|channel>\\s*thought\\b', '<channel\\|>'), // Gemma 4
  pair('<\\|think\\|>', '<\\|content\\|>'), // Solar Open
  // gpt-oss (harmony): every channel but "final"
  pair(
    '(?:<\\|start\\|>assistant)?(?:<\\|channel\\|>\\s*(?:analysis|commentary)[^<>]*|(?:analysis|commentary)(?=<\\|message\\|>))',
    '(?:<\\|channel\\|>\\s*final\\b(?:\\s*<\\|constrain\\|>\\s*\\w+)?(?:<\\|message\\|>)?|final<\\|message\\|>)',
  ),
  { open: 'analysis(?=\\w)', close: 'assistantfinal', ordinary: true }, // gpt-oss, decoded without its special tokens
  { open: '<details\\s+type="?reasoning"?[^<>]*>', close: '</details>' }, // Open WebUI
  // Granite 3.2
  {
    open: "(?:\\*\\*)?here(?:['’]s| is) my thought process:(?:\\*\\*)?",
    close: "(?:\\*\\*)?here(?:['’]s| is) my response:(?:\\*\\*)?",
  },
]

/** Answer markers, with the models that use them. */
export const answerMarkers: readonly Marker[] = [
  tag('answer'), // Hunyuan A13B, K2-Think, AM-Thinking, GLM 4.1V, prompts after DeepSeek R1-Zero
  tag('response'), // Granite 3.3, Ernie 4.5
  tag('output'), // Reflection, Marco-o1
  tag('solution'), // Hermes 3
  pair('<\\|begin_of_solution\\|>', '<\\|end_of_solution\\|>'), // OpenThinker, Sky-T1, Bespoke-Stratos
  pair('<\\|START_RESPONSE\\|>', '<\\|END_RESPONSE\\|>'), // Cohere Command A and R7B
  pair('<\\|begin_of_box\\|>', '<\\|end_of_box\\|>'), // GLM 4.1V and 4.5V
]

/** Paired answer markers within a sentence (GLM 4.1V and 4.5V). */
export const boxMarkers = { open: '<|begin_of_box|>', close: '<|end_of_box|>' } as const
