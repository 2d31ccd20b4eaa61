import type { Report } from '../tables.ts'

/** A report as Markdown: title, summary, findings; equal to all published ones (section 2.8). */
export const reportMarkdown = ({ title, summary, findings }: Pick<Report, 'title' | 'summary' | 'findings'>): string =>
  `# ${title}\n\n${summary}\n\n${findings.map((finding) => `## ${finding.summary}\n\n${finding.explanation}`).join('\n\n')}`
