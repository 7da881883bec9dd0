/** Data of the suite, made of numbers: as many pairs as a test needs, each with a text of its own. */

const RULES = ['Be kind', 'No ads', 'Stay on topic'].map((name) => ({
  short_name_clean: name,
  description_clean: `${name}.`,
  violation_reason_clean: '',
}));

function thread(id: string, body: string) {
  return [{ id, author: `author-${id}`, body, created_utc: 1_700_000_000 }];
}

/** `media`: file names of the submission's images. */
export function madeDocument(split: string, pairs: number, media: readonly string[] = []): object {
  return {
    metadata: { split },
    subreddits: [
      {
        subreddit: 'kettles',
        title: 'Kettles',
        description: 'All about kettles.',
        language: 'en',
        subreddit_cluster_id: 1,
        subreddit_cluster_label: 'homes',
        rules: RULES,
        submissions: {
          s: {
            submission_object: {
              title: 'Mine sings',
              selftext: 'Is that so?',
              author: 'ann',
              created_utc: 1_700_000_000,
            },
            num_media: media.length,
            media_files: media,
          },
        },
        thread_pairs: Array.from({ length: pairs }, (_, at) => ({
          mod_comment_id: `${split}${at}`,
          violating_thread: thread(`v${at}`, `${split} breaks a rule, number ${at}`),
          compliant_thread: thread(`c${at}`, `${split} breaks none, number ${at}`),
          metadata: {
            rule: RULES[at % RULES.length]!.short_name_clean,
            rule_cluster_id: at % RULES.length,
            rule_cluster_label: `cluster ${at % RULES.length}`,
            submission_id: 's',
          },
        })),
      },
    ],
  };
}
